import { z } from "zod";
import { boolean, expected, id, oneOf, text, timestamp } from "./fields.ts";
import { resourceKey, resourceName } from "./resource_names.ts";
import { usedBy } from "./uses.ts";

const states = ["subscribed", "unsubscribed"] as const;

export const topic = z.object({
  id,
  key: z.string().meta({ example: "newsletter" }),
  name: z.string().meta({ example: "Newsletter" }),
  description: z.string().nullable(),
  default: z.enum(states).meta({
    description: "The state of an address that has neither joined nor left the topic.",
  }),
  subscribed: z.int().meta({ description: "Addresses that joined the topic." }),
  unsubscribed: z.int().meta({ description: "Addresses that left the topic." }),
  created_at: timestamp,
  updated_at: timestamp,
  used_by: usedBy,
}).meta({ id: "Topic" });

const fields = {
  name: text(200).meta({ example: "Newsletter" }),
  description: text(1000).nullable().optional(),
  default: oneOf(states),
};

export const newTopic = z.strictObject({ key: resourceKey, ...fields })
  .meta({ example: { key: "newsletter", name: "Newsletter", default: "unsubscribed" } });

export const topicPut = z.strictObject({ key: resourceKey.optional(), ...fields })
  .meta({ example: { name: "Newsletter", default: "unsubscribed" } });

export const topicEdit = z.strictObject({
  key: resourceKey.optional(),
  name: fields.name.optional(),
  description: fields.description,
  default: fields.default.optional(),
  expected,
}).meta({ description: "Omitted fields keep their value.", example: { name: "Weekly news" } });

export const customerTopic = z.object({
  id,
  key: z.string(),
  name: z.string(),
  subscribed: z.boolean().meta({ description: "False for a customer without an e-mail address." }),
  changed_at: timestamp.nullable().meta({
    description: "When the address last joined or left; null while the topic's default applies.",
  }),
}).meta({ id: "CustomerTopic" });

export const customerTopics = z.object({ data: z.array(customerTopic) });

export const customerTopicEdit = z.strictObject({
  topic: resourceName.meta({ description: "Id or key of a topic." }),
  subscribed: boolean,
}).meta({ example: { topic: "newsletter", subscribed: false } });
