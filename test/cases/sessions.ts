/** A session's life over real HTTP beside the verbs' own answers: firings, replies, listings, files, deletion. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  allEvents,
  arrival,
  type Caller,
  call,
  download,
  session,
  until,
  WORKFLOW,
} from "../support/api-client.ts";
import type { ServedWorkspace } from "../support/served-workspace.ts";

/** Plays them on a host. */
export function sessionCases(serve: () => Promise<ServedWorkspace>): void {
  let served: ServedWorkspace;
  let host: Caller;

  beforeAll(async () => {
    served = await serve();
    host = served.host;
  }, 60_000);

  afterAll(async () => {
    await served?.stop();
  });

  const open = (id: string, supplier?: string) =>
    call(host, `${session(id)}/send`, { body: arrival(id, supplier) });
  const decide = (id: string, target: string) => call(host, `${session(id)}/decide`, { body: { target } });

  test("a firing's session path names the session, and resolve foretells how the next one meets it", async () => {
    const resolve = async (body: unknown) => (await call(host, `${WORKFLOW}/resolve`, { body })).json;
    const firing = arrival("inv-900", "harbor-metals");
    const { message: _message, ...resolved } = firing;
    expect(await resolve(resolved)).toMatchObject({
      sessionId: "inv-900",
      disposition: "turn",
      startState: "intake",
      native: false,
    });
    const opened = await call(host, `${WORKFLOW}/send`, { body: firing });
    expect(opened.json).toMatchObject({ kind: "parked", disposition: "turn" });
    expect(await resolve(resolved)).toMatchObject({ disposition: "reply", state: "approve-payment" });
    const replied = await call(host, `${WORKFLOW}/send`, { body: firing });
    expect(replied.json).toMatchObject({ kind: "parked", disposition: "reply" });
    await decide("inv-900", "scheduled");
    expect(await resolve(resolved)).toMatchObject({ disposition: "resume", state: "scheduled" });
    const woken = await call(host, `${WORKFLOW}/send`, { body: firing });
    expect(woken.json).toMatchObject({ kind: "completed", disposition: "deliver", state: "paid" });
    const minted = await resolve({ trigger: { id: "manual" }, variables: {} });
    expect(minted).toMatchObject({ disposition: "turn", native: true });
  });

  test("a reply is answered and leaves the park as it was", async () => {
    await open("s-reply");
    const before = (await call(host, session("s-reply"))).json.park;
    const replied = await call(host, `${session("s-reply")}/reply`, { body: { message: "Is it much?" } });
    expect(replied.json).toMatchObject({ kind: "parked", parkedChannel: "decision", disposition: "reply" });
    expect(replied.json.reply).toContain("The difference of 40.5");
    expect((await call(host, session("s-reply"))).json.park).toEqual(before);
  });

  test("what was written in the session is read back, and refining writes it anew", async () => {
    await open("s-files");
    const path = `${session("s-files")}/files/scratchpad%2Fcomparison.md`;
    const first = await download(host, path);
    expect(first.text).toContain("| amount | 1240.5 | 1200 |");
    const again = await call(host, `${session("s-files")}/decide`, {
      body: { target: "checking", comment: "Look at the tax once more." },
    });
    expect(again.json).toMatchObject({ kind: "parked", state: "approve-payment", pending: { seq: 2 } });
    expect((await download(host, path)).text).toContain("Look at the tax once more.");
  });

  test("the supplier's data is out of reach where the state does not enable its skill", async () => {
    const sent = await allEvents(host, `${session("s-skill")}/send`, { body: arrival("s-skill") });
    const read = sent.filter(({ type, data }) => type === "tool-called" && data.tool === "read_file");
    expect(read.map(({ data }) => data.state)).toEqual(["checking", "checking"]);
    expect(sent.some(({ type }) => type === "tool-blocked")).toBe(false);
  });

  test("a refused command asked for as a stream is answered by its problem with its own status", async () => {
    const answer = await call(host, `${session("s-none")}/decide`, {
      body: { target: "paid" },
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
  });

  test("the listing pages through every session once, newest first", async () => {
    for (const id of ["p-1", "p-2", "p-3", "p-4", "p-5"]) await open(id, "quickfix-repairs");
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = (await call(host, `${WORKFLOW}/sessions?status=finished&limit=2${cursor}`)).json as {
        sessions: { sessionId: string }[];
        cursor?: string;
      };
      seen.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.cursor === undefined ? "" : `&cursor=${encodeURIComponent(page.cursor)}`;
    } while (cursor !== "");
    expect(seen.filter((id) => id.startsWith("p-"))).toEqual(["p-5", "p-4", "p-3", "p-2", "p-1"]);
    expect(seen).toEqual([...new Set(seen)]);
  });

  test("HOST-021 a deleted session is gone with its files and its timer, and its id can be used again", async () => {
    await open("s-gone");
    expect((await decide("s-gone", "scheduled")).json).toMatchObject({ parkedChannel: "input" });
    const before = await served.storedFiles();
    expect(before.some((path) => path.includes("s-gone"))).toBe(true);
    const gone = await call(host, session("s-gone"), { method: "DELETE" });
    expect(gone.status).toBe(204);
    expect((await served.storedFiles()).filter((path) => path.includes("s-gone"))).toEqual([]);
    for (const rest of ["", "/messages", "/events", "/files"])
      expect((await call(host, `${session("s-gone")}${rest}`)).status).toBe(404);
    expect((await call(host, session("s-gone"), { method: "DELETE" })).status).toBe(404);
    // Its timer would have come due by now.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect((await call(host, session("s-gone"))).status).toBe(404);
    expect((await open("s-gone")).json).toMatchObject({ kind: "parked", disposition: "turn" });
  });

  test("the catalogue describes the example: triggers, states and the schema of a start", async () => {
    const described = (await call(host, WORKFLOW)).json as { states: { slug: string; type: string }[] };
    expect(described.states.find(({ slug }) => slug === "approve-payment")?.type).toBe("human");
    const trigger = await call(host, `${WORKFLOW}/triggers/invoice_received`);
    expect(trigger.json).toMatchObject({
      requires: { required: ["invoice_id", "supplier", "amount", "currency", "due"] },
      returns: { properties: { paid: { type: "boolean" } } },
    });
    const { workflows } = (await call(host, "/workflows")).json as { workflows: Record<string, unknown>[] };
    expect(workflows).toContainEqual({ slug: "broken", broken: true });
    expect(workflows).toContainEqual(expect.objectContaining({ slug: "off", disabled: true }));
    expect((await call(host, "/openapi.json")).json).toMatchObject({ openapi: "3.1.0" });
  });

  test("an artifact and a definition that are not there are 404, the definition in force is given", async () => {
    await open("s-spec", "quickfix-repairs");
    const { specHash } = (await call(host, session("s-spec"))).json as { specHash: string };
    const kept = await until(
      () => call(host, `${WORKFLOW}/specs/${specHash}`),
      ({ status }) => status === 200,
    );
    expect(Object.keys(kept.json.states as object)).toContain("approve-payment");
    expect((await call(host, `${WORKFLOW}/specs/${"0".repeat(32)}`)).status).toBe(404);
    expect((await call(host, `${session("s-spec")}/artifacts/none.json`)).status).toBe(404);
  });
}
