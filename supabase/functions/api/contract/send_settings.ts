import { z } from "zod";
import { clockForm } from "./clock_form.ts";
import { readDuration } from "./conditions/durations.ts";
import { boolean, integer, timestamp } from "./fields.ts";

const maxCaps = 5;
const daySeconds = 86_400;
const maxCapDays = 90;

/** Settings of a workspace about messages, as shown. */
export const sendSettings = {
  caps: z.array(z.object({ max: z.int(), per: z.string() })).meta({
    description: "The maximum number of marketing emails that one address may get within a period.",
    example: [{ max: 3, per: "7d" }],
  }),
  quiet_hours: z.object({ from: z.string(), to: z.string() }).nullable().meta({
    description:
      "Hours in which marketing emails wait, in the customer's time zone; null for none.",
    example: { from: "21:00", to: "08:00" },
  }),
  track_opens: z.boolean(),
  track_clicks: z.boolean(),
  campaign_confirm_above: z.int().meta({
    description: "Above this many recipients, a caller must confirm the number to send a campaign.",
  }),
  campaign_complaint_rate: z.number().meta({
    description: "Percentage of complaints that pauses a campaign.",
  }),
  sending_stopped_at: timestamp.nullable().meta({
    description: "When an operator stopped all sends of the workspace; null if none did.",
  }),
};

const clock = z.string("must be a time of day").regex(clockForm, 'must be like "21:00"');

/** Hours of a day, or of a night. Equal times could mean all day or never. */
export const quietHours = z.strictObject({ from: clock, to: clock }, "must be an object")
  .refine(({ from, to }) => from !== to, "must start and end at different times");

const cap = z.strictObject({
  max: integer(1, 1_000),
  per: z.string("must be a duration").refine(
    isCapTime,
    'must be like "24h" or "7d", up to 90 days',
  ),
}, "must be an object");

function isCapTime(text: string): boolean {
  const seconds = readDuration(text);
  return seconds !== undefined && seconds <= maxCapDays * daySeconds;
}

/** The same settings as they are changed. */
export const sendSettingsEdit = {
  caps: z.array(cap, "must be an array").max(maxCaps, `must have at most ${maxCaps} caps`)
    .optional(),
  quiet_hours: quietHours.nullable().optional(),
  track_opens: boolean.optional(),
  track_clicks: boolean.optional(),
  campaign_confirm_above: integer(0, 1_000_000_000).optional(),
  campaign_complaint_rate: z.number("must be a number").min(0, "must be from 0 to 100")
    .max(100, "must be from 0 to 100").optional(),
};
