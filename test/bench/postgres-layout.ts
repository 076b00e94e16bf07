/**
 * The storage layout of LangGraph's Postgres saver on DynamoDB, for comparison only: slim checkpoints, one whole
 * blob per changed channel version, one item per pending write. No compression, no splitting, no retries.
 */
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  JsonPlusSerializer,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";

type Config = { configurable: Record<string, string> };

export class PostgresLayout {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #serde = new JsonPlusSerializer();

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async put(
    config: Config,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<Config> {
    const { thread_id = "", checkpoint_id } = config.configurable;
    const { channel_values, ...slim } = checkpoint;
    const blobs = await Promise.all(
      Object.entries(newVersions).map(async ([channel, version]) => {
        const [type, blob] = await this.#serde.dumpsTyped(channel_values[channel]);
        const sk = { S: `blob#${channel}#${version}` };
        return { PutRequest: { Item: { pk: { S: thread_id }, sk, type: { S: type }, blob: { B: blob } } } };
      }),
    );
    await this.#client.send(new BatchWriteItemCommand({ RequestItems: { [this.#table]: blobs } }));
    const [, body] = await this.#serde.dumpsTyped(slim);
    const [, meta] = await this.#serde.dumpsTyped(metadata);
    const Item = {
      pk: { S: thread_id },
      sk: { S: `checkpoint#${checkpoint.id}` },
      parent: { S: checkpoint_id ?? "" },
      checkpoint: { B: body },
      metadata: { B: meta },
    };
    await this.#client.send(new PutItemCommand({ TableName: this.#table, Item }));
    return { configurable: { thread_id, checkpoint_ns: "", checkpoint_id: checkpoint.id } };
  }

  async putWrites(config: Config, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id = "", checkpoint_id } = config.configurable;
    const items = await Promise.all(
      writes.map(async ([channel, value], idx) => {
        const [type, blob] = await this.#serde.dumpsTyped(value);
        const sk = { S: `write#${checkpoint_id}#${taskId}#${idx}` };
        const rest = { channel: { S: channel }, type: { S: type }, blob: { B: blob } };
        return { PutRequest: { Item: { pk: { S: thread_id }, sk, ...rest } } };
      }),
    );
    await this.#client.send(new BatchWriteItemCommand({ RequestItems: { [this.#table]: items } }));
  }

  async getTuple(config: Config): Promise<unknown> {
    const pk = { S: config.configurable.thread_id ?? "" };
    const starting = async (prefix: string, Limit?: number) =>
      this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
          ExpressionAttributeValues: { ":pk": pk, ":prefix": { S: prefix } },
          ScanIndexForward: false,
          ConsistentRead: true,
          ...(Limit !== undefined && { Limit }),
        }),
      );
    const item = (await starting("checkpoint#", 1)).Items?.[0];
    if (item === undefined) return undefined;
    const checkpoint = await this.#serde.loadsTyped("json", item.checkpoint?.B ?? "");
    const Keys = Object.entries(checkpoint.channel_versions).map(([channel, version]) => ({
      pk,
      sk: { S: `blob#${channel}#${version}` },
    }));
    const [writes, blobs] = await Promise.all([
      starting(`write#${checkpoint.id}#`),
      this.#client.send(
        new BatchGetItemCommand({ RequestItems: { [this.#table]: { Keys, ConsistentRead: true } } }),
      ),
    ]);
    const values = (items: typeof writes.Items) =>
      Promise.all(
        (items ?? []).map(({ type, blob }) => this.#serde.loadsTyped(type?.S ?? "json", blob?.B ?? "")),
      );
    return {
      checkpoint,
      values: await values(blobs.Responses?.[this.#table]),
      writes: await values(writes.Items),
      metadata: await this.#serde.loadsTyped("json", item.metadata?.B ?? ""),
    };
  }
}
