import { z } from "zod";
import { email } from "../../_shared/entries/fields.ts";
import { boolean, expected, id, integer, oneOf, paging, text, timestamp, uuid } from "./fields.ts";
import { quietHours } from "./send_settings.ts";

/** Kinds of alert rules: what each watches, and the threshold in its unit. */
export const alertKinds = {
  destination_failing: { target: "destination", unit: "minutes", initial: 5, most: 10_080 },
  destination_disabled: { target: "destination", unit: null, initial: 0, most: 0 },
  backlog: { target: "destination", unit: "messages", initial: 1_000, most: 100_000 },
  missed_messages: { target: "destination", unit: "messages", initial: 1, most: 100_000 },
  source_refusing: { target: "source", unit: "requests", initial: 10, most: 50_000 },
  sender_failing: { target: "sender", unit: "minutes", initial: 5, most: 10_080 },
  complaint_rate: { target: "sender", unit: "per cent", initial: 0.3, most: 100 },
  quota: { target: null, unit: "per cent", initial: 80, most: 1_000 },
  segment_lag: { target: null, unit: "minutes", initial: 10, most: 10_080 },
  journey_lag: { target: "journey", unit: "minutes", initial: 10, most: 10_080 },
} as const;

export type AlertKind = keyof typeof alertKinds;

const kindNames = Object.keys(alertKinds) as AlertKind[];

const kind = oneOf(kindNames).meta({
  description: "What opens an alert, with T as the threshold. `destination_failing`: a " +
    "destination has been failing for T minutes · `destination_disabled`: the service or an " +
    "operator disabled a destination · `backlog`: T messages wait for a destination · " +
    "`missed_messages`: a destination missed T messages · `source_refusing`: a source refused T " +
    "requests within `window_minutes` · `sender_failing`: a sender has been failing for T " +
    "minutes · `complaint_rate`: complaints in 24 hours are T per cent of a sender's messages, " +
    "if there are at least 100 · `quota`: T per cent of the ingest quota is used · `segment_lag` " +
    "and `journey_lag`: segments or a journey are T minutes behind.",
});

const longestQuietMinutes = 10_080;
const maxChannels = 10;
const maxAddresses = 10;

const channelForms = 'must be { "type": "email", "sender_id", "to" } or { "type": "destination", ' +
  '"destination_id" }';

const channel = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("email"),
    sender_id: uuid,
    to: z.array(email, "must be an array of addresses").min(1, "must have an address")
      .max(maxAddresses, `must have at most ${maxAddresses} addresses`),
  }),
  z.strictObject({ type: z.literal("destination"), destination_id: uuid }),
], {
  error: ({ code }) => code === "invalid_union" ? 'must be "email" or "destination"' : channelForms,
});

const channels = z.array(channel, "must be an array").max(
  maxChannels,
  `must have at most ${maxChannels} channels`,
).meta({
  description: "Where notices go, in addition to the destinations that subscribe to " +
    "`alert.opened` and `alert.resolved`. A destination that is a channel needs no subscription.",
});

const threshold = z.number("must be a number").min(0, "must be 0 or more")
  .max(1_000_000, "must be at most 1000000");

const noticeHours = quietHours.nullable().meta({
  description: "Hours in which notices wait, in the workspace's time zone; null for none.",
  example: { from: "22:00", to: "07:00" },
});

const fields = {
  name: text(200).meta({ example: "Warehouse is down" }),
  kind,
  target_id: uuid.nullable().optional().meta({
    description: "The only destination, source, sender or journey to watch; null for all.",
  }),
  threshold: threshold.optional().meta({ description: "The kind's own default if omitted." }),
  window_minutes: integer(1, 1_440).optional().meta({
    description: "Only for `source_refusing`. 60 if omitted.",
  }),
  channels: channels.optional(),
  repeat_after_minutes: integer(0, longestQuietMinutes).optional().meta({
    description: "The same target gets no second notice within this time. 60 if omitted.",
  }),
  quiet_hours: noticeHours.optional(),
  notify_resolved: boolean.optional().meta({ description: "true if omitted." }),
  enabled: boolean.optional(),
};

const example = {
  name: "Warehouse is down",
  kind: "destination_failing",
  threshold: 10,
  repeat_after_minutes: 60,
} as const;

export const newAlertRule = z.strictObject(fields).meta({ example });

const { kind: _, ...editable } = fields;

export const alertRuleEdit = z.strictObject({ ...editable, name: fields.name.optional(), expected })
  .meta({ description: "Omitted fields keep their value.", example: { enabled: false } });

export const alertRule = z.object({
  id,
  name: z.string(),
  kind: z.enum(kindNames),
  target_id: id.nullable(),
  threshold: z.number(),
  window_minutes: z.int(),
  channels: z.array(z.union([
    z.object({ type: z.literal("email"), sender_id: id, to: z.array(z.string()) }),
    z.object({ type: z.literal("destination"), destination_id: id }),
  ])),
  repeat_after_minutes: z.int(),
  quiet_hours: z.object({ from: z.string(), to: z.string() }).nullable(),
  notify_resolved: z.boolean(),
  enabled: z.boolean(),
  target_name: z.string().nullable().meta({
    description: "Name of the target; null for all, and for keys that may not read it.",
  }),
  open_alerts: z.int().meta({ description: "Targets that meet the rule now." }),
  firing_since: timestamp.nullable().meta({
    description: "When the oldest open alert was opened; null if none is open.",
  }),
  last_notified_at: timestamp.nullable().meta({
    description: "When the newest alert of the rule was notified, tests left out; null for never.",
  }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "AlertRule" });

export const alert = z.object({
  id,
  rule_id: id,
  rule_name: z.string(),
  kind: z.enum(kindNames),
  state: z.enum(["open", "resolved"]),
  target: z.object({ id, name: z.string() }).nullable().meta({
    description: "null for the workspace as a whole.",
  }),
  message: z.string().meta({ example: 'Destination "Warehouse" has been failing for 12 minutes' }),
  value: z.number().meta({
    description: "The newest figure while the alert is open, then the last one.",
  }),
  threshold: z.number(),
  is_test: z.boolean(),
  opened_at: timestamp,
  resolved_at: timestamp.nullable(),
  resolved_by: z.enum([
    "recovery",
    "rule_changed",
    "rule_disabled",
    "rule_deleted",
    "target_deleted",
    "test",
  ]).nullable(),
  notified_at: timestamp.nullable().meta({
    description: "When the notice was sent; null while it waits, or if the alert was resolved " +
      "before.",
  }),
}).meta({ id: "Alert" });

export const alertsQuery = z.strictObject({
  ...paging,
  state: oneOf(["open", "resolved"]).optional(),
  rule_id: uuid.optional(),
});
