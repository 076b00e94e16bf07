import { describe, expect, test } from "vitest";
import { calling, desk, f1, hostTool, speaking } from "./runtime/turn-fixture.ts";
import { currentToolContext } from "./workspace/tool-context.ts";

/** A governed agent that writes a file and calls a tool, in the session its caller names. */
async function writing() {
  const seen: string[] = [];
  const noting = hostTool("note", () => {
    seen.push(currentToolContext("note").sessionId);
    return "noted";
  });
  const held = await desk(
    f1({ intake: { tools: { allow: ["note"] } } }),
    [
      calling(["write_file", { file_path: "scratchpad/a.txt", content: "x" }], ["note", {}]),
      speaking("done"),
    ],
    { tools: [noting] },
  );
  return { ...held, seen };
}

async function drain(steps: AsyncIterable<unknown>, each: () => void = () => {}): Promise<void> {
  for await (const _step of steps) each();
}

describe("every entry of the agent is bound to the session its config names", () => {
  const input = { messages: "go" };
  const config = { configurable: { thread_id: "s1" } };
  type Held = Awaited<ReturnType<typeof writing>>;
  const entries: [string, (held: Held, each: () => void) => Promise<unknown>][] = [
    ["invoke", ({ agent }) => agent.invoke(input, config)],
    ["stream", async ({ agent }, each) => drain(await agent.stream(input, config), each)],
    ["streamEvents", ({ agent }, each) => drain(agent.streamEvents(input, config), each)],
    [
      "streamEvents v1",
      ({ agent }, each) => drain(agent.streamEvents(input, { ...config, version: "v1" }), each),
    ],
    ["graph.invoke", ({ agent }) => agent.graph.invoke(input, config)],
    ["graph.stream", async ({ agent }, each) => drain(await agent.graph.stream(input, config), each)],
    ["send", ({ workflow }) => workflow.send("s1", { message: "go" })],
  ];

  test.each(entries)("%s: files, events and host tools", async (_entry, run) => {
    const held = await writing();
    // The code between two steps of a stream belongs to no session.
    await run(held, () => expect(Object.keys(currentToolContext("note"))).toEqual([]));
    const stored = (await held.store.backend.ls("/")).files?.map(({ path }) => path).toSorted();
    expect(stored).toEqual(["/_specs/", "/s1/"]);
    expect((await held.store.backend.readRaw("/s1/scratchpad/a.txt")).data?.content).toBe("x");
    expect(held.seen).toEqual(["s1"]);
    const ofTheRun = held.events.slice(held.types().indexOf("advance"));
    expect(ofTheRun.map((event) => event.sessionId)).toEqual(ofTheRun.map(() => "s1"));
    expect((await held.agent.sessions.get("s1"))?.status).toBe("completed");
  });

  test("two sessions streamed step by step in turn keep to their own folders", async () => {
    const held = await desk(f1(), [
      calling(["write_file", { file_path: "scratchpad/a.txt", content: "x" }]),
      calling(["write_file", { file_path: "scratchpad/a.txt", content: "x" }]),
      speaking("done"),
      speaking("done"),
    ]);
    const runs = ["s1", "s2"].map((thread_id) =>
      held.agent.streamEvents(input, { configurable: { thread_id } }),
    );
    while (runs.length > 0) {
      for (const run of [...runs]) if ((await run.next()).done) runs.splice(runs.indexOf(run), 1);
    }
    for (const folder of ["s1", "s2"]) {
      expect((await held.store.backend.readRaw(`/${folder}/scratchpad/a.txt`)).data?.content).toBe("x");
    }
    expect((await held.store.backend.ls("/scratchpad")).files ?? []).toEqual([]);
  });

  test.each(["../s1", "scratchpad", "a~b"])(
    "a run of %j is a rejection, and nothing is written",
    async (thread_id) => {
      const held = await writing();
      const refused = { configurable: { thread_id } };
      for (const run of [
        () => held.agent.invoke(input, refused),
        async () => drain(await held.agent.stream(input, refused)),
        () => drain(held.agent.streamEvents(input, refused)),
        () => held.agent.graph.invoke(input, refused),
      ]) {
        await expect(run()).rejects.toMatchObject({ name: "SessionStoreIdError", sessionId: thread_id });
      }
      expect((await held.store.backend.ls("/")).files ?? []).toEqual([]);
      expect(held.model.requests).toHaveLength(0);
    },
  );

  test.each([
    ["a number", 42, "42"],
    ["a leading slash", "/s1", "s1"],
  ])("a thread id with %s is the session of that folder", async (_what, thread_id, folder) => {
    const held = await writing();
    await held.agent.invoke(input, { configurable: { thread_id } });
    const stored = (await held.store.backend.ls("/")).files?.map(({ path }) => path).toSorted();
    expect(stored).toEqual(["/_specs/", `/${folder}/`].toSorted());
    expect(held.seen).toEqual([folder]);
    expect(held.events.at(-1)?.sessionId).toBe(folder);
  });

  test.each([undefined, null])(
    "a run whose thread id is %s is refused and writes nothing",
    async (thread_id) => {
      const held = await writing();
      await expect(held.agent.invoke(input, { configurable: { thread_id } })).rejects.toThrow(/thread_id/);
      expect((await held.store.backend.ls("/")).files ?? []).toEqual([]);
      expect(held.model.requests).toHaveLength(0);
    },
  );
});
