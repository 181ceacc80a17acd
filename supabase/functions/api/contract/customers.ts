import { z } from "zod";
import { deviceToken as token, platform, record } from "../../_shared/entries/fields.ts";
import { profileEdit, profileResponse } from "../../_shared/entries/profile.ts";
import { id, timestamp } from "./fields.ts";

/** A free-form object in a response. */
export const freeForm = z.record(z.string(), z.unknown());

export const customer = z.object({
  id,
  external_id: z.string().nullable().meta({
    description: "The customer's first external id.",
    example: "user-42",
  }),
  external_ids: z.array(z.string()).meta({
    description: "The newest 100, oldest first.",
  }),
  external_ids_count: z.int().meta({ description: "Number of external ids.", example: 1 }),
  anon_ids: z.array(z.string()).meta({
    description: "The newest 100, oldest first.",
  }),
  anon_ids_count: z.int().meta({ description: "Number of anonymous ids.", example: 2 }),
  ...profileResponse,
  attributes: freeForm.meta({ example: { tier: "gold" } }),
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: timestamp,
}).meta({ id: "Customer" });

export const customerEdit = z.strictObject({
  ...profileEdit,
  attributes: record.nullable().optional(),
}).meta({
  description:
    "Omitted fields keep their value; null clears a field. Attributes merge key by key: " +
    "a null value removes that key, and `attributes: null` removes all of them.",
  example: { first_name: "Ada", attributes: { tier: "gold" } },
});

export const merge = z.object({
  id,
  merged_customer_id: id,
  cause: z.enum(["identify", "alias"]),
  profile: freeForm.meta({ description: "The profile of the merged record before the merge." }),
  external_ids: z.array(z.string()).meta({
    description: "Ids moved by the merge: the newest 100 of both kinds combined.",
  }),
  anon_ids: z.array(z.string()),
  ids_count: z.int().meta({ description: "Number of ids moved by the merge." }),
  merged_at: timestamp,
}).meta({ id: "Merge" });

export const deviceToken = z.object({
  token: z.string(),
  platform: z.enum(["ios", "android", "web"]),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "DeviceToken" });

export const newDeviceToken = z.strictObject({ token, platform });
export const deviceTokenQuery = z.strictObject({ token });
