import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import {
  aliasSchema,
  eventSchema,
  identifySchema,
  maxBulkEntries,
  registerDeviceSchema,
  removeDeviceSchema,
} from "../../_shared/entries/schemas.ts";
import { id } from "../contract/fields.ts";
import { quotaHeaders, refer } from "./errors.ts";

const event = eventSchema.meta({ id: "TrackedEvent" });
const identify = identifySchema.meta({ id: "Identify" });
const alias = aliasSchema.meta({ id: "Alias" });
const entry = z.union([event, identify, alias]);

const bulk = z.strictObject({ events: z.array(entry).min(1).max(maxBulkEntries) })
  .meta({ id: "Bulk", description: "Entries of any kind, each validated separately." });

const stored = z.object({
  ok: z.literal(true),
  event_id: id,
  customer_id: id,
  duplicate: z.literal(true).optional().meta({
    description:
      "True if the idempotency key was used before. The ids are then those of the first call.",
  }),
  merged: z.literal(false).optional().meta({
    description: "False if no customers were merged; `reason` says why.",
  }),
  reason: z.string().optional().meta({ example: "anon_id_belongs_to_another_customer" }),
}).meta({ id: "StoredEntry" });

const bulkResponse = z.object({
  ok: z.boolean().meta({ description: "True if every entry is ok." }),
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.int(),
  results: z.array(z.union([
    stored.extend({ index: z.int() }).meta({ id: "StoredResult" }),
    z.object({
      index: z.int(),
      ok: z.literal(false),
      error: z.string(),
      message: z.string().optional().meta({
        description: "The same text as `error`. Only in responses to batches in Segment's format.",
      }),
      code: z.string(),
      field: z.string().optional(),
    }).meta({ id: "RefusedResult" }),
  ])),
}).meta({ id: "BulkResponse" });

const registered = z.object({ ok: z.literal(true), customer_id: id }).meta({ id: "Registered" });
const removed = z.object({
  ok: z.literal(true),
  removed: z.boolean().meta({ description: "True if the token existed." }),
}).meta({ id: "Removed" });

const settings = z.object({
  integrations: z.object({
    "Segment.io": z.object({
      apiKey: z.string(),
      apiHost: z.string().meta({ example: "x.supabase.co/functions/v1/track/v1" }),
      protocol: z.string().meta({ example: "https" }),
    }),
  }),
  metrics: z.object({ sampleRate: z.number() }),
  plan: z.object({}),
}).meta({ id: "SegmentSettings" });

const segmentKinds = [
  ...["batch", "import", "track", "identify", "alias", "page", "screen", "group"],
  ...["b", "t", "i", "a", "p", "s", "g"],
] as const;

const examples = {
  event: {
    value: {
      external_id: "user-42",
      name: "order_completed",
      occurred_at: "2026-11-21T09:30:00Z",
      properties: { total: 49.9, currency: "EUR" },
      context: { ip: "203.0.113.7" },
      idempotency_key: "order-1001",
    },
  },
  identify: {
    value: {
      type: "identify",
      external_id: "user-42",
      anon_id: "a1b2c3",
      email: "ada@example.com",
      attributes: { tier: "gold" },
    },
  },
  alias: { value: { type: "alias", external_id: "user-42", previous_id: "user-7" } },
  bulk: { value: { events: [{ external_id: "user-42", name: "page_viewed" }] } },
};

const errorStatuses = [400, 401, 403, 404, 413, 415, 429, 500, 503];
const errors = refer(errorStatuses);

/** Operations of the track function. */
export const trackPaths: ZodOpenApiPathsObject = {
  "/track": { post: describeTrack() },
  "/track/devices": {
    post: describeDevices({
      operationId: "registerDevice",
      summary: "Register or refresh a device token",
      body: registerDeviceSchema.meta({ id: "NewDevice" }),
      example: { external_id: "user-42", token: "fcm-3f9a", platform: "android" },
      response: registered,
    }),
    delete: describeDevices({
      operationId: "removeDevice",
      summary: "Remove a device token",
      body: removeDeviceSchema.meta({ id: "RemovedDevice" }),
      example: { token: "fcm-3f9a" },
      response: removed,
    }),
  },
  "/track/v1/{kind}": { post: describeSegment() },
  "/track/v1/projects/{key}/settings": { get: describeSettings() },
};

function describeTrack(): ZodOpenApiOperationObject {
  return {
    operationId: "track",
    tags: ["Track"],
    summary: "Store an event, identify or alias, or up to 500 at once",
    description: "The body may be compressed (gzip, deflate). Browser beacons may send it as " +
      "text/plain. An invalid entry of a bulk is rejected, and the others are stored.\n\nEach " +
      "entry costs one token of the bucket `ingest`. A body costs at least one token per full 4 " +
      "KiB after decompression, even if it is refused. A body may contain up to 5 MiB, 200,000 " +
      "arrays and objects, and 500,000 numbers.\n\nNeeds the scope `track:write`.",
    security: [{ apiKey: [] }],
    requestBody: {
      required: true,
      content: { "application/json": { schema: z.union([entry, bulk]), examples } },
    },
    responses: {
      200: describeResponse("Stored and committed.", z.union([stored, bulkResponse])),
      ...errors,
    },
  };
}

interface DeviceOperation {
  operationId: string;
  summary: string;
  body: z.ZodObject;
  example: object;
  response: z.ZodObject;
}

function describeDevices(device: DeviceOperation): ZodOpenApiOperationObject {
  const { operationId, summary, body: schema, example, response } = device;
  return {
    operationId,
    tags: ["Track"],
    summary,
    description: "Needs the scope `track:write`.",
    security: [{ apiKey: [] }],
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: { 200: describeResponse("Done.", response), ...refer([...errorStatuses, 409]) },
  };
}

function describeSegment(): ZodOpenApiOperationObject {
  return {
    operationId: "trackSegment",
    tags: ["Track"],
    summary: "Store messages from Segment's official libraries",
    description:
      "`batch`, `import` and `b` accept several messages under `batch`, and merge the `context` " +
      "and `integrations` next to it into each message. Every other path accepts one message of " +
      "its kind. A call costs as many tokens as `POST /track`. Errors and rejected results " +
      "repeat their text as `message`. Send the key as the user name of Basic authentication, as " +
      "a bearer token, or as `writeKey` in the body. Needs the scope `track:write`.",
    security: [{ segment: [] }, { apiKey: [] }],
    requestParams: {
      path: z.object({ kind: z.enum(segmentKinds).meta({ description: "The kind of message." }) }),
    },
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: z.record(z.string(), z.unknown()),
          example: {
            batch: [{
              type: "track",
              userId: "user-42",
              event: "order_completed",
              messageId: "m-1",
            }],
          },
        },
      },
    },
    responses: {
      200: describeResponse("Stored and committed.", z.union([stored, bulkResponse])),
      ...errors,
    },
  };
}

function describeSettings(): ZodOpenApiOperationObject {
  return {
    operationId: "getSegmentSettings",
    tags: ["Track"],
    summary: "Get the settings of Segment's browser and mobile libraries",
    description: "Every well-formed key gets the same settings, even if it does not exist.",
    security: [],
    requestParams: {
      path: z.object({ key: z.string().meta({ description: "An API key." }) }),
    },
    responses: {
      200: {
        description: "The settings. Clients may cache them for an hour.",
        content: { "application/json": { schema: settings } },
      },
      ...refer([404, 500]),
    },
  };
}

function describeResponse(description: string, schema: z.ZodType) {
  return { description, headers: quotaHeaders, content: { "application/json": { schema } } };
}
