import { z } from "zod";
import {
  context,
  deviceToken,
  eventName,
  id,
  instant,
  oneOf,
  platform,
  record,
  shortText,
} from "./fields.ts";
import { profileEdit } from "./profile.ts";
import { unknownField } from "./validate.ts";

/** Most entries in one bulk request. */
export const maxBulkEntries = 500;

/** Most characters of JSON in a body with one entry: twice the limit of an entry. */
export const maxSingle = 64 * 1024;

const needsId = 'must have "external_id" or "anon_id"';

function requireId(payload: z.core.ParsePayload<{ external_id?: unknown; anon_id?: unknown }>) {
  const { external_id, anon_id } = payload.value;
  if (external_id !== undefined || anon_id !== undefined) return;
  payload.issues.push({ code: "custom", message: needsId, input: payload.value, path: [] });
}

/** `requireId` for the OpenAPI document. */
const hasId = {
  anyOf: ["external_id", "anon_id"].map((name) => ({
    required: [name],
    properties: { [name]: {} },
  })),
};

/** For an unknown field, names the place for custom fields. */
function ownFieldsIn(place: string) {
  return {
    error: ({ code }: { code?: string }) =>
      code === "unrecognized_keys" ? `${unknownField}, or put it under "${place}"` : undefined,
  };
}

const common = {
  occurred_at: instant.optional(),
  context: context.optional(),
  idempotency_key: shortText.optional(),
};

export const eventSchema = z.strictObject({
  type: oneOf(["event", "track"]).optional(),
  external_id: id.optional(),
  anon_id: id.optional(),
  name: eventName,
  properties: record.optional(),
  ...common,
}, ownFieldsIn("properties")).check(requireId).meta(hasId);

export const identifySchema = z.strictObject({
  type: oneOf(["identify"]),
  external_id: id.optional(),
  anon_id: id.optional(),
  ...profileEdit,
  attributes: record.nullable().optional(),
  ...common,
}, ownFieldsIn("attributes")).check(requireId).meta(hasId);

export const aliasSchema = z.strictObject({
  type: oneOf(["alias"]),
  external_id: id,
  previous_id: id,
  ...common,
});

/** The envelope of a bulk request; its entries are validated one by one. */
export const bulkSchema = z.strictObject({
  events: z.array(z.unknown(), { error: "must be an array of entries" })
    .min(1, "must contain at least one entry")
    .max(maxBulkEntries, `must contain at most ${maxBulkEntries} entries`),
});

export const registerDeviceSchema = z.strictObject({
  external_id: id.optional(),
  anon_id: id.optional(),
  token: deviceToken,
  platform,
}).check(requireId).meta(hasId);

export const removeDeviceSchema = z.strictObject({ token: deviceToken });
