"""moto's server by a clock that can be moved: ahead of the machine's by the seconds in the file ARCHMAX_MOTO_CLOCK."""

import datetime
import os
import sys

from moto.core import utils
from moto.server import main

CLOCK = os.environ["ARCHMAX_MOTO_CLOCK"]
machine_now = utils.utcnow


def utcnow():
    with open(CLOCK, encoding="utf-8") as file:
        return machine_now() + datetime.timedelta(seconds=float(file.read() or "0"))


# Every instant of moto's SQS comes of this function.
utils.utcnow = utcnow
sys.exit(main())
