"""moto's server, but DynamoDB's requests one at a time: moto checks a write's condition and stores in two steps, and
between them another thread can come, so that of some thousands of races one has two winners."""

import sys
from threading import Lock

from moto.dynamodb.responses import DynamoHandler
from moto.server import main

lock = Lock()
call_action = DynamoHandler.call_action


def one_at_a_time(self):
    with lock:
        return call_action(self)


DynamoHandler.call_action = one_at_a_time
sys.exit(main())
