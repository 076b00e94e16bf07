import { MAX_NODES } from "@archmax-ai/harness/internal/document";
import * as z from "zod";
import { SESSION_STATUSES } from "../ports/session-record.ts";
import { DOCUMENT_MEDIA_TYPES } from "../validator/media-type.ts";
import { DOCUMENT_LIMIT } from "../validator/validator.ts";
import { eventsBodySchema } from "./events.ts";
import {
  decideInputSchema,
  deliverInputSchema,
  openInputSchema,
  replyInputSchema,
  resolveInputSchema,
  seedInputSchema,
  sendInputSchema,
} from "./inputs.ts";
import { LIST_FILTERS } from "./session-listing.ts";

/** The version of these routes, not of a workflow. */
const API_VERSION = "1";

type Schema = Record<string, unknown>;

const path = (name: string, description: string): Schema => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});
const query = (name: string, description: string, schema: Schema): Schema => ({
  name,
  in: "query",
  description,
  schema,
});

const WORKFLOW = path("wf", "Slug of a workflow.");
const SESSION = path("id", "Session id, URL-encoded as one segment.");
const AFTER = query("after", "Only what comes after this.", { type: "integer", minimum: 0 });
const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
const VERB_HEADERS = [
  IDEMPOTENCY_KEY,
  {
    name: "Prefer",
    in: "header",
    description: "respond-async: 202 once queued.",
    schema: { type: "string" },
  },
];

const problem = {
  description: "A problem document (RFC 9457).",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};
const answers = (
  description: string,
  content: Schema = { "application/json": { schema: { type: "object" } } },
) => ({
  "200": { description, content },
  default: problem,
});
const OUTCOME = {
  "200": {
    description: "What the turn came to, or its events with `outcome` last.",
    content: {
      "application/json": { schema: { $ref: "#/components/schemas/Outcome" } },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
  "202": {
    description: "Queued, or still running in another invocation; Location names the session.",
    content: { "application/json": { schema: { type: "object" } } },
  },
  default: problem,
};

function body(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return { required: true, content: { "application/json": { schema: described } } };
}

function verb(summary: string, parameters: Schema[], schema: z.ZodType): Schema {
  return {
    post: {
      summary,
      parameters: [...parameters, ...VERB_HEADERS],
      requestBody: body(schema),
      responses: OUTCOME,
    },
  };
}

function read(summary: string, parameters: Schema[], responses: Schema = answers(summary)): Schema {
  return { get: { summary, parameters, responses } };
}

const DIAGNOSTICS = { type: "array", items: { $ref: "#/components/schemas/Diagnostic" } };
const BYTES = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };

/** The OpenAPI 3.1 document of the host's routes, made from the schemas that the routes read with. */
export function openApiDocument(): Schema {
  const session = "/workflows/{wf}/sessions/{id}";
  const onSession = [WORKFLOW, SESSION];
  const file = path("path", "Path within the session, URL-encoded.");
  return {
    openapi: "3.1.0",
    info: {
      title: "archmax host",
      version: API_VERSION,
      description: "The verbs of governed sessions over HTTP.",
    },
    security: [{ bearer: [] }],
    paths: {
      "/workflows": read("The workflows that are deployed.", []),
      "/workflows/{wf}": read("One workflow: its triggers and states.", [WORKFLOW]),
      "/workflows/{wf}/triggers/{trigger}": read("The JSON Schemas of a trigger's input and returns.", [
        WORKFLOW,
        path("trigger", "Trigger id."),
      ]),
      "/workflows/{wf}/send": verb("Send to the session a firing belongs to.", [WORKFLOW], openInputSchema),
      "/workflows/{wf}/resolve": {
        post: {
          summary: "Tell which session a firing belongs to and how it meets it.",
          parameters: [WORKFLOW],
          requestBody: body(resolveInputSchema),
          responses: answers("The session and the disposition."),
        },
      },
      "/workflows/{wf}/sessions": read("The workflow's sessions, newest first.", [
        WORKFLOW,
        query("status", "Only these.", { enum: [...SESSION_STATUSES, ...LIST_FILTERS] }),
        query("limit", "At most this many.", { type: "integer", minimum: 1, maximum: 1000 }),
        query("cursor", "What an earlier page gave.", { type: "string" }),
      ]),
      [session]: {
        ...read("One session at a glance.", onSession),
        delete: {
          summary: "Delete a session and its child sessions.",
          parameters: onSession,
          responses: { "204": { description: "Gone." }, default: problem },
        },
      },
      [`${session}/send`]: verb(
        "Send to a session: a turn, a reply or a delivery, as it stands.",
        onSession,
        sendInputSchema,
      ),
      [`${session}/decide`]: verb("Decide at a human state.", onSession, decideInputSchema),
      [`${session}/reply`]: verb("Say something within a decision park.", onSession, replyInputSchema),
      [`${session}/deliver`]: verb(
        "Deliver a firing to a session that waits.",
        onSession,
        deliverInputSchema,
      ),
      [`${session}/messages`]: read("The transcript, in serialized form.", [...onSession, AFTER]),
      [`${session}/events`]: read(
        "The recent events, replayed and followed as server-sent events.",
        [...onSession, AFTER],
        answers("Events.", { "text/event-stream": { schema: { type: "string" } } }),
      ),
      [`${session}/files`]: {
        ...read("The session's files.", onSession),
        put: {
          summary: "Seed input files.",
          parameters: onSession,
          requestBody: body(seedInputSchema),
          responses: { "204": { description: "Written." }, default: problem },
        },
      },
      [`${session}/files/{path}`]: {
        ...read("A file's bytes, or a redirect to them.", [...onSession, file], answers("The bytes.", BYTES)),
        put: {
          summary:
            "Store a file, or learn where to: a request without the bytes names their number in Upload-Length.",
          parameters: [...onSession, file],
          requestBody: { required: false, content: BYTES },
          responses: {
            "204": { description: "Stored." },
            "307": { description: "Send the bytes there, with the same type and length." },
            default: problem,
          },
        },
      },
      [`${session}/artifacts/{name}`]: read(
        "An artifact's bytes.",
        [...onSession, path("name", "File name.")],
        answers("The bytes.", BYTES),
      ),
      "/workflows/{wf}/specs/{hash}": read("The definition a session ran under.", [
        WORKFLOW,
        path("hash", "Spec hash."),
      ]),
      "/events": {
        post: {
          summary:
            "Fire the triggers whose patterns match; on a host that is its own event bus, as the local one is.",
          parameters: [IDEMPOTENCY_KEY],
          requestBody: body(eventsBodySchema),
          responses: {
            "202": {
              description: "What became of each event, its commands queued.",
              content: { "application/json": { schema: { $ref: "#/components/schemas/TakenEvents" } } },
            },
            default: problem,
          },
        },
      },
      "/validate": {
        post: {
          summary: "Check a workflow document: every finding with its place, whether or not it is ok.",
          requestBody: {
            required: true,
            description: `In UTF-8, at most ${DOCUMENT_LIMIT} bytes and ${MAX_NODES} keys, values, lists and mappings.`,
            content: Object.fromEntries(DOCUMENT_MEDIA_TYPES.map((type) => [type, { schema: {} }])),
          },
          responses: answers("What the document yields.", {
            "application/json": { schema: { $ref: "#/components/schemas/SpecValidation" } },
          }),
        },
      },
      "/schema.json": read(
        "The JSON Schema of a workflow document, for editors.",
        [],
        answers("The schema.", { "application/schema+json": { schema: { type: "object" } } }),
      ),
      "/openapi.json": read("This document.", []),
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: {
        Problem: {
          type: "object",
          required: ["type", "title", "status", "detail", "requestId"],
          properties: {
            type: { type: "string" },
            title: { type: "string" },
            status: { type: "integer" },
            detail: { type: "string" },
            requestId: { type: "string" },
            issues: {
              type: "array",
              items: {
                type: "object",
                properties: { path: { type: "string" }, message: { type: "string" } },
              },
            },
          },
        },
        TakenEvents: {
          type: "object",
          required: ["events"],
          properties: {
            events: {
              type: "array",
              items: {
                type: "object",
                required: ["id", "firings"],
                properties: {
                  id: { type: "string" },
                  firings: {
                    type: "array",
                    description: "One for each trigger the event fired; none where no pattern matches it.",
                    items: {
                      type: "object",
                      required: ["result"],
                      properties: {
                        result: { enum: ["queued", "repeated", "dead-letter"] },
                        workflow: { type: "string" },
                        trigger: { type: "string" },
                        sessionId: { type: "string" },
                        disposition: { enum: ["turn", "resume", "reply", "running"] },
                        reason: { type: "string", description: "Why it was put aside." },
                      },
                    },
                  },
                },
              },
            },
          },
        },
        SpecValidation: {
          type: "object",
          required: ["ok", "schema", "lint", "diagnostics"],
          properties: {
            ok: { type: "boolean", description: "Whether shape and document rules hold." },
            spec: { type: "object", description: "The workflow as it was read, where its shape is sound." },
            schema: DIAGNOSTICS,
            lint: DIAGNOSTICS,
            diagnostics: DIAGNOSTICS,
          },
        },
        Diagnostic: {
          type: "object",
          required: ["severity", "message"],
          properties: {
            severity: { enum: ["error", "warning"] },
            message: { type: "string" },
            field: { type: "string", description: "The dotted key path it is about." },
            line: { type: "integer", minimum: 1 },
            column: { type: "integer", minimum: 1, description: "In UTF-16 units." },
          },
        },
        Outcome: {
          type: "object",
          required: ["kind", "disposition", "reply", "messages", "auditTrail", "variables"],
          properties: {
            kind: { enum: ["completed", "parked", "failed", "rejected"] },
            disposition: { enum: ["turn", "decide", "reply", "deliver"] },
            status: { enum: [...SESSION_STATUSES] },
            state: { type: "string" },
            parkedChannel: { enum: ["decision", "input"] },
            pending: { type: "object" },
            reply: { type: "string" },
            rejected: { type: "string" },
            exit: { type: "object" },
            messages: { type: "array" },
            auditTrail: { type: "array" },
            variables: { type: "object" },
            usage: { type: "object" },
          },
        },
      },
    },
  };
}
