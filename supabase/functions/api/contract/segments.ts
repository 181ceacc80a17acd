import { z } from "zod";
import { customer } from "./customers.ts";
import { maxConditionDepth } from "./conditions/rules.ts";
import { condition } from "./conditions/schema.ts";
import { expected, id, oneOf, queryBoolean, text, timestamp, uuid } from "./fields.ts";
import { resourceKey } from "./resource_names.ts";
import { usedBy } from "./uses.ts";

/** Most levels of JSON in a body with a condition, which `expected` has one level deeper. */
export const bodyDepth = maxConditionDepth + 2;
/** Most customers that one call adds to or removes from a static segment. */
export const maxNamedCustomers = 10_000;

const kinds = ["live", "static"] as const;

export const segment = z.object({
  id,
  key: z.string().nullable().meta({ example: "vip" }),
  name: z.string().meta({ example: "Big spenders" }),
  description: z.string().nullable(),
  kind: z.enum(kinds),
  condition: condition.nullable().meta({
    description: "Refers to segments and topics by id. Null for a static segment.",
  }),
  state: z.enum(["computing", "ready"]).meta({
    description: "computing: the members are being computed over all history, because the " +
      "segment is new or its condition changed. Until that is done, the former members stay.",
  }),
  progress: z.number().min(0).max(1).meta({
    description: "Share of the computation that is done; 1 when ready.",
  }),
  members: z.int().meta({ description: "Number of members.", example: 1280 }),
  members_by_day: z.array(z.int()).meta({
    description: "Members at the end of each of the last 30 days in UTC, the newest last.",
    example: [1254, 1261, 1280],
  }),
  used_by: usedBy,
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "Segment" });

const fields = {
  name: text(200),
  key: resourceKey.nullable().optional(),
  description: text(1000).nullable().optional(),
};

type NewSegment = {
  kind?: (typeof kinds)[number] | undefined;
  condition?: unknown;
};

/** Adds a fault unless exactly the live segments have a condition. */
function requireCondition({ value, issues }: z.core.ParsePayload<NewSegment>): void {
  const isStatic = value.kind === "static";
  if (isStatic === (value.condition === undefined)) return;
  const message = isStatic ? "must be left out of a static segment" : "is required";
  issues.push({ code: "custom", message, input: value.condition, path: ["condition"] });
}

export const newSegment = z.strictObject({
  ...fields,
  kind: oneOf(kinds).optional().meta({ description: "Defaults to live." }),
  condition: condition.optional().meta({
    description: "Required for a live segment, not allowed for a static one.",
  }),
}).check(requireCondition).meta({
  example: {
    name: "Big spenders",
    key: "big-spenders",
    condition: {
      event: "order_completed",
      within: "90d",
      sum: { property: "total", gte: 500 },
    },
  },
});

export const segmentEdit = z.strictObject({
  ...fields,
  name: fields.name.optional(),
  condition: condition.optional(),
  expected,
}).meta({ description: "Omitted fields keep their value.", example: { name: "Best customers" } });

/** A count that is exact where it is fast. */
export const countFields = {
  count: z.int().min(0).meta({ example: 1280 }),
  is_exact: z.boolean().meta({ description: "False for an estimate: counting took too long." }),
};

/** The wish for the count of a filtered list. */
export const countOption = {
  count: queryBoolean.optional().meta({
    description: "false: leaves out the count of a filtered list, which can take two seconds.",
  }),
};

/** The count of a filtered list; absent without a filter, and on later pages. */
export const filteredCount = {
  count: countFields.count.optional().meta({
    description: "Number of rows that match the filter. Only on the first page of a filtered list.",
  }),
  is_exact: countFields.is_exact.optional(),
};

export const newPreview = z.strictObject({ condition });

export const preview = z.object({
  ...countFields,
  examples: z.array(customer).meta({ description: "Up to ten customers, the newest first." }),
}).meta({ id: "SegmentPreview" });

export const member = customer.extend({
  member_since: timestamp.meta({ description: "When the customer entered the segment." }),
}).meta({ id: "SegmentMember" });

const idLists = {
  customer_ids: z.array(uuid, { error: "must be a list of customer ids" }).optional(),
  external_ids: z.array(text(255), { error: "must be a list of external ids" }).optional(),
  emails: z.array(text(254), { error: "must be a list of email addresses" }).optional(),
};

export const namedCustomers = z.strictObject(idLists).check(({ value, issues }) => {
  const count = Object.values(value).reduce((sum, list) => sum + (list?.length ?? 0), 0);
  if (count >= 1 && count <= maxNamedCustomers) return;
  const message =
    `must name 1 to ${maxNamedCustomers} customers in customer_ids, external_ids and emails`;
  issues.push({ code: "custom", message, input: value, path: [] });
}).meta({ example: { external_ids: ["user-42"], emails: ["ada@example.com"] } });

export const memberChange = z.object({
  changed: z.int().meta({ description: "Customers that were added or removed." }),
  unchanged: z.int().meta({ description: "Customers for whom nothing changed." }),
  unknown: z.object({
    customer_ids: z.array(z.string()),
    external_ids: z.array(z.string()),
    emails: z.array(z.string()),
  }).meta({ description: "Ids and addresses that do not belong to a customer." }),
}).meta({ id: "SegmentMemberChange" });

export const explainedCustomer = z.strictObject({ customer_id: uuid });

const explainedNode = z.record(z.string(), z.unknown()).meta({
  id: "ExplainedCondition",
  description: "The condition with its answer: `is`, and `changes_at`, the time at which the " +
    "answer would change without new data. A leaf also has `found` and `needed`. `all`, `any` " +
    "and `not` contain such nodes.",
  example: {
    event: "order_completed",
    within: "30d",
    count: { gte: 2 },
    is: false,
    changes_at: null,
    found: 1,
    needed: ">= 2",
  },
});

export const explanation = z.object({
  member: z.boolean().meta({ description: "True if the customer is a member." }),
  since: timestamp.nullable().meta({
    description: "When the customer entered; null if the customer is not a member.",
  }),
  at: timestamp.meta({ description: "The time that the answers are for." }),
  changes_at: timestamp.nullable().meta({
    description: "When the membership would change without new data; null if it would not.",
  }),
  tree: explainedNode.nullable().meta({ description: "Null for a static segment." }),
}).meta({ id: "SegmentExplanation" });

export const membership = z.object({
  id,
  key: z.string().nullable(),
  name: z.string(),
  kind: z.enum(kinds),
  member_since: timestamp,
}).meta({ id: "SegmentMembership" });

export const memberHistory = z.array(z.object({
  at: timestamp.meta({ description: "Start of the interval." }),
  entered: z.int(),
  left: z.int(),
  members: z.int().meta({ description: "Members at the end of the interval." }),
}));

export const change = z.object({
  id,
  customer_id: id,
  customer_name: z.string().nullable().meta({
    description: "The customer's name, else email address or an id. Null for a deleted customer.",
    example: "Ada Lovelace",
  }),
  change: z.enum(["entered", "left"]),
  cause: z.string().meta({
    description:
      "event, profile, time, merge, segment or consent; list if added to or removed from a static segment.",
    example: "event",
  }),
  at: timestamp,
}).meta({ id: "SegmentChange" });
