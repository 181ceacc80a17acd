import { z } from "zod";
import { email } from "../../_shared/entries/fields.ts";
import { readDuration } from "./conditions/durations.ts";
import { condition } from "./conditions/schema.ts";
import { expected, id, integer, oneOf, text, timestamp, uuid } from "./fields.ts";
import { isWithinYears, readInstant } from "./instants.ts";
import { resourceKey, resourceName } from "./resource_names.ts";

/** Longest duration in the settings of a campaign. */
const maxDays = 30;
/** Most addresses of one test. */
const maxTestAddresses = 10;

const zones = ["workspace", "customer"] as const;
const measures = ["opened", "clicked", "goal"] as const;
const campaignStates = [
  "draft",
  "scheduled",
  "sending",
  "paused",
  "completed",
  "cancelled",
] as const;

const durationRule = `must be a duration such as "4h", up to ${maxDays}d`;
const localForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$/;

function isDuration(value: string): boolean {
  const seconds = readDuration(value);
  return seconds !== undefined && seconds > 0 && seconds <= maxDays * 86_400;
}

function isInstant(value: string): boolean {
  const at = readInstant(value);
  return at !== undefined && isWithinYears(at);
}

const duration = z.string(durationRule).refine(isDuration, durationRule)
  .meta({ pattern: "^[1-9][0-9]*[smhdw]$", example: "4h" });

const sendAtRule = 'must be a time like "2030-12-01T09:00:00Z", or without an offset like ' +
  '"2030-12-01T09:00"';
const sendAt = z.string(sendAtRule)
  .refine(
    (value) => isInstant(localForm.test(value) ? `${value.slice(0, 16)}:00Z` : value),
    sendAtRule,
  )
  .meta({
    description: "An RFC 3339 time. Without an offset it is local to the workspace.",
    example: "2030-12-01T09:00",
  });

const notAfterRule = `${durationRule}, or an RFC 3339 time`;
const notAfter = z.string(notAfterRule)
  .refine((value) => isDuration(value) || isInstant(value), notAfterRule)
  .overwrite((value) => isInstant(value) ? new Date(readInstant(value)!).toISOString() : value)
  .meta({
    description: "A time, or a duration after each recipient's own time. Recipients whose " +
      "message cannot be sent by then are skipped.",
    example: "24h",
  });

const weight = z.number("must be a number above 0").positive("must be above 0")
  .max(1_000_000, "must be at most 1000000");

const share = z.number("must be a percentage").gt(0, "must be above 0")
  .lt(100, "must be below 100");

const variant = z.strictObject({ template: resourceName, weight }, "must be an object");

const winner = z.strictObject({
  share: share.meta({ description: "Percentage of recipients who get the test.", example: 20 }),
  after: duration.meta({ description: "How long after the test the winner is chosen." }),
  by: oneOf(measures),
}, "must be an object");

const goal = condition.refine(
  (value) => Object.keys(value).every((name) => name === "event" || name === "where"),
  'must have only "event" and "where"',
).meta({ description: "An event, with tests of its properties: see conditions." });

function listOf<Item extends z.ZodType>(item: Item, { most, of }: { most: number; of: string }) {
  const message = `must be a list of at most ${most} ${of}`;
  return z.array(item, message).max(most, message);
}

const fields = {
  name: text(200),
  key: resourceKey.nullable().optional(),
  segment: resourceName.meta({ description: "Id or key of the segment that gets the campaign." }),
  exclude: listOf(resourceName, { most: 20, of: "segments" }).optional()
    .meta({ description: "Segments whose members do not get the campaign." }),
  template: resourceName.nullable().optional()
    .meta({ description: "Required without variants." }),
  sender: resourceName,
  topic: resourceName.nullable().optional().meta({
    description: "Without a topic the mail is transactional: consent, caps and quiet hours do " +
      "not apply.",
  }),
  send_at: sendAt.nullable().optional(),
  zone: oneOf(zones).optional().meta({
    description: "customer: each recipient gets the mail at send_at in their own time zone, up " +
      "to a day later. Defaults to workspace.",
  }),
  per_minute: integer(1, 1_000_000).nullable().optional()
    .meta({ description: "The largest number of sends per minute." }),
  spread_over: duration.nullable().optional()
    .meta({ description: "Spreads the recipients evenly over this time." }),
  not_after: notAfter.nullable().optional(),
  variants: listOf(variant, { most: 10, of: "variants" })
    .optional().meta({ description: "Templates to compare, instead of one." }),
  winner: winner.nullable().optional()
    .meta({ description: "Sends the best variant to those who did not get the test." }),
  goal: goal.nullable().optional(),
};

export const newCampaign = z.strictObject(fields).meta({
  example: {
    name: "Spring sale",
    segment: "big-spenders",
    template: "spring-sale",
    sender: "shop",
    topic: "newsletter",
    send_at: "2030-12-01T09:00",
    zone: "customer",
  },
});

export const campaignEdit = z.strictObject({
  ...fields,
  name: fields.name.optional(),
  segment: fields.segment.optional(),
  sender: fields.sender.optional(),
  expected,
}).meta({
  description: "Omitted fields keep their value. All fields of a draft or scheduled campaign can " +
    "change. After that, only name and key can change. In a paused campaign, so can template, " +
    "sender, topic, per_minute and not_after.",
  example: { per_minute: 600 },
});

const outcomes = {
  sent: z.int(),
  skipped: z.record(z.string(), z.int()).meta({
    description: "Recipients who get nothing, by reason.",
    example: { unsubscribed: 12 },
  }),
  failed: z.int().meta({ description: "Includes those whose outcome is unknown." }),
  unknown: z.int().meta({ description: "How many of the failed sends have an unknown outcome." }),
};

export const campaign = z.object({
  id,
  key: z.string().nullable(),
  name: z.string().meta({ example: "Spring sale" }),
  segment: id,
  exclude: z.array(id),
  template: id.nullable(),
  sender: id,
  topic: id.nullable(),
  send_at: timestamp.nullable(),
  zone: z.enum(zones),
  per_minute: z.int().nullable(),
  spread_over: z.string().nullable(),
  not_after: z.string().nullable(),
  variants: z.array(z.object({ template: id, weight: z.number() })),
  winner: z.object({ share: z.number(), after: z.string(), by: z.enum(measures) }).nullable(),
  goal: condition.nullable(),
  state: z.enum(campaignStates),
  reason: z.string().nullable().meta({
    description: "Why it is paused or cancelled: requested, complaint_rate, confirmation, " +
      "segment_deleted, template_deleted, sender_deleted or topic_deleted.",
  }),
  explanation: z.string().nullable().meta({ description: "The reason as a sentence." }),
  winner_variant: z.int().nullable().meta({
    description: "The winner's position in variants; null until it is chosen.",
  }),
  recipients: z.int().nullable().meta({ description: "Null until the audience is fixed." }),
  ...outcomes,
  opened: z.int().meta({ description: "Sent mails that were opened, not counting scanners." }),
  clicked: z.int().meta({ description: "Sent mails with a click, not counting scanners." }),
  started_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "Campaign" });

const number = z.int({ error: "must be a whole number" }).min(0, "must not be negative").optional()
  .meta({
    description: "The number of recipients. Required above the setting campaign_confirm_above. " +
      "The error states the number.",
  });

export const schedule = z.strictObject({
  send_at: sendAt.optional().meta({ description: "Defaults to the campaign's own time." }),
  recipients: number,
}).meta({ example: { send_at: "2030-12-01T09:00" } });

export const confirmation = z.strictObject({ recipients: number });

const addressesRule = `must be a list of 1 to ${maxTestAddresses} email addresses`;

export const newTest = z.strictObject({
  addresses: z.array(email, { error: addressesRule }).min(1, addressesRule)
    .max(maxTestAddresses, addressesRule),
  customer_id: uuid.optional().meta({
    description: "The customer that the test is rendered for; a member of the segment by default.",
  }),
  variant: integer(0, 9).optional().meta({ description: "A position in variants; 0 by default." }),
}).meta({ example: { addresses: ["me@example.com"] } });

export const startedTest = z.object({ send_ids: z.array(id) });

export const review = z.object({
  members: z.int().meta({ description: "Members of the segment." }),
  excluded: z.int().meta({ description: "Members who are in an excluded segment too." }),
  no_address: z.int(),
  same_address: z.int().meta({ description: "Members with the same address as another member." }),
  recipients: z.int().meta({
    description: "Always exact, because sending may require this number.",
  }),
  suppressed: z.int().meta({ description: "Recipients whose address is suppressed." }),
  unsubscribed: z.int().meta({ description: "Recipients who are not subscribed to the topic." }),
  is_exact: z.boolean().meta({
    description:
      "False for a large segment. Then all numbers except members and recipients are estimates.",
  }),
  is_computing: z.boolean().meta({
    description:
      "True while the first members of a segment are being computed: the campaign waits.",
  }),
  confirm_above: z.int().meta({
    description: "Above this number, sending needs the number of recipients as confirmation.",
  }),
}).meta({ id: "CampaignReview" });

const figures = {
  recipients: z.int(),
  waiting: z.int().meta({ description: "Recipients without an outcome so far." }),
  ...outcomes,
  delivered: z.int(),
  bounced: z.int(),
  complained: z.int(),
  opened: z.int(),
  clicked: z.int(),
  unsubscribed: z.int(),
};

export const campaignStats = z.object({
  ...figures,
  left_out: z.object({
    no_address: z.int().meta({ description: "Members of the segment without an address." }),
    same_address: z.int().meta({ description: "Members with the same address as another member." }),
  }).meta({ description: "Members of the segment who are left out." }),
  variants: z.array(z.object({
    variant: z.int(),
    template: id,
    ...figures,
    goal: z.int().meta({
      description: "Recipients of the test who reached the goal when the winner was chosen, of " +
        "up to 10,000.",
    }),
  })).meta({ description: "Recipients who wait for the winner are in no variant." }),
}).meta({ id: "CampaignStats" });

export const campaignState = oneOf(campaignStates);
