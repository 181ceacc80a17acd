import { z } from "zod";
import { freeForm } from "./customers.ts";
import { eventName } from "../../_shared/entries/fields.ts";
import { integer, text, time, timestamp, uuid } from "./fields.ts";

/** Most events of one simulation. */
export const maxSimulatedEvents = 100;
/** Longest simulated time, in days. */
export const maxSimulatedDays = 800;

const dayMs = 86_400_000;
const record = z.record(z.string(), z.unknown(), "must be an object");

const event = z.strictObject({
  name: eventName,
  occurred_at: time.optional().meta({ description: "Now if omitted." }),
  properties: record.optional(),
}, "must be an event with a name");

export const newSimulation = z.strictObject({
  version: integer(1, 999_999_999).optional().meta({ description: "The draft if omitted." }),
  customer_id: uuid.optional(),
  profile: z.looseObject({ attributes: record.optional() }, "must be an object").optional().meta({
    description: "Profile fields and attributes of a customer that does not exist.",
  }),
  events: z.array(event, "must be a list of events").max(
    maxSimulatedEvents,
    `must be at most ${maxSimulatedEvents} events`,
  )
    .optional().meta({ description: "Without events, the customer enters at once." }),
  trigger: record.optional(),
  until: time.meta({ description: `At most ${maxSimulatedDays} days ahead.` }),
}).check(({ value, issues }) => {
  const { customer_id, profile, until } = value;
  if (customer_id !== undefined && profile !== undefined) {
    const message = "must not be combined with customer_id";
    issues.push({ code: "custom", message, input: profile, path: ["profile"] });
  }
  if (Date.parse(until) > Date.now() + maxSimulatedDays * dayMs) {
    const message = `must be at most ${maxSimulatedDays} days ahead`;
    issues.push({ code: "custom", message, input: until, path: ["until"] });
  }
}).meta({ example: { profile: { country: "DE" }, until: "2027-01-01T00:00:00Z" } });

export const simulation = z.object({
  entered: z.boolean(),
  not_entered: text(100).nullable().meta({ description: "Why the customer did not enter." }),
  path: z.array(z.object({
    visit: z.int(),
    step: z.string(),
    kind: z.string(),
    at: timestamp,
    outcome: freeForm,
    would: freeForm.optional().meta({
      description:
        "The send, update or webhook that the step would make. A send includes `rendered`.",
    }),
  })),
  state: z.string().nullable(),
  reason: z.string().nullable().meta({ description: "Why the run ended; null for an active one." }),
  step: z.string().nullable().meta({
    description: "The step that the run is at when the simulation ends.",
  }),
  wake_at: timestamp.nullable(),
}).meta({ id: "Simulation" });
