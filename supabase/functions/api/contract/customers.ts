import { z } from "zod";
import {
  country,
  deviceToken as token,
  email,
  phone,
  platform,
  record,
  shortText,
} from "../../_shared/entries/fields.ts";
import { id, timestamp } from "./fields.ts";

/** A free-form object of an answer. */
export const freeForm = z.record(z.string(), z.unknown());

export const customer = z.object({
  id,
  external_id: z.string().nullable().meta({
    description: "The oldest of the external ids.",
    example: "user-42",
  }),
  external_ids: z.array(z.string()).meta({
    description: "The newest 100, the oldest of them first.",
  }),
  external_ids_count: z.int().meta({ description: "How many external ids there are.", example: 1 }),
  anon_ids: z.array(z.string()).meta({
    description: "The newest 100, the oldest of them first.",
  }),
  anon_ids_count: z.int().meta({ description: "How many anonymous ids there are.", example: 2 }),
  email: z.string().nullable().meta({ example: "ada@example.com" }),
  phone: z.string().nullable().meta({ example: "+14155550123" }),
  first_name: z.string().nullable().meta({ example: "Ada" }),
  last_name: z.string().nullable().meta({ example: "Lovelace" }),
  country: z.string().nullable().meta({ example: "GB" }),
  attributes: freeForm.meta({ example: { tier: "gold" } }),
  created_at: timestamp,
  updated_at: timestamp,
  last_seen_at: timestamp,
}).meta({ id: "Customer" });

export const customerEdit = z.strictObject({
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  first_name: shortText.nullable().optional(),
  last_name: shortText.nullable().optional(),
  country: country.nullable().optional(),
  attributes: record.nullable().optional(),
}).meta({
  description:
    "What is left out stays, null clears. Attributes merge key by key; null removes one, and in place of the object all.",
  example: { first_name: "Ada", attributes: { tier: "gold" } },
});

export const merge = z.object({
  id,
  merged_customer_id: id,
  cause: z.enum(["identify", "alias"]),
  profile: freeForm.meta({ description: "The fields of the merged record as they were." }),
  external_ids: z.array(z.string()).meta({
    description: "Ids that came with it: the newest 100 of both kinds together.",
  }),
  anon_ids: z.array(z.string()),
  ids_count: z.int().meta({ description: "How many ids came with it." }),
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
