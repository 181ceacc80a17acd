import { z } from "zod";
import { type AllowedRanges, validateDestinationUrl } from "../../_shared/outbound/addresses.ts";
import { invalidInput } from "../../_shared/errors/errors.ts";
import { record } from "../../_shared/entries/fields.ts";
import { outboundLimits } from "./limits.ts";
import { maxConditionDepth } from "./conditions/rules.ts";
import { eventCondition } from "./conditions/schema.ts";
import { boolean, expected, id, integer, text, timestamp } from "./fields.ts";
import { requestHeaders } from "./request_headers.ts";

/** States of a destination's health. */
export const healthStates = ["healthy", "failing", "disabled", "unused"] as const;

export const destination = z.object({
  id,
  name: z.string().meta({ example: "Warehouse" }),
  url: z.string().meta({ format: "uri", example: "https://example.com/hooks" }),
  event_types: z.array(z.string()).meta({ example: ["customer.*", "order_completed"] }),
  filter: z.record(z.string(), z.unknown()).nullable().meta({
    description: "Condition that a message must meet; null for all of the types.",
    example: { property: "total", op: "gte", value: 100 },
  }),
  header_names: z.array(z.string()).meta({
    description:
      "Names of the headers that every request has in addition. Their values are never shown.",
    example: ["Authorization"],
  }),
  enabled: z.boolean(),
  disabled_by: z.enum(["member", "key", "service", "operator"]).nullable().meta({
    description: "Who disabled it; null while it is enabled. The service disables a destination " +
      "after a 410, or after 5 days without a success.",
  }),
  disabled_reason: z.string().nullable().meta({ example: "No success for 5 days" }),
  rate_limit_per_second: z.int().nullable(),
  max_concurrency: z.int(),
  description: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  health: z.object({
    state: z.enum(healthStates).meta({
      description: "failing: the newest attempt failed, or the service disabled the destination. " +
        "disabled: somebody else disabled it. unused: nothing has been sent yet.",
    }),
    pending: z.int().meta({ description: "Messages waiting to be sent." }),
    missed: z.int().meta({
      description: "Messages that were created while the destination was disabled, and have not " +
        "been recovered or discarded.",
    }),
    missed_since: timestamp.nullable().meta({
      description: "When the oldest missed message was created.",
    }),
    next_attempt_at: timestamp.nullable(),
    next_probe_at: timestamp.nullable().meta({
      description: "When the circuit breaker sends the next message, at the earliest. Null while " +
        "it is closed.",
    }),
    last_error: z.string().nullable().meta({
      description: "Why the newest attempt failed: an error of a delivery, or `status_500`.",
      example: "connection_refused",
    }),
    ok_24h: z.int(),
    failed_24h: z.int(),
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
  }),
}).meta({ id: "Destination" });

/** Number of the workspace's destinations in each state. */
export const destinationCounts = z.object({
  total: z.int(),
  healthy: z.int(),
  failing: z.int(),
  disabled: z.int(),
  unused: z.int(),
}).meta({
  id: "DestinationCounts",
  description: "Counts of all destinations of the workspace, regardless of filters and pages.",
});

const signingSecret = z.string().meta({
  description: "Shown only in this response.",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

export const destinationWithSecret = destination.extend({ secret: signingSecret })
  .meta({ id: "DestinationWithSecret" });

const pattern = text(200).regex(
  /^(?:\*|[^*\n]+\*?)$/,
  'must be a type, a prefix ending in "*", or "*"',
).meta({ pattern: "^(?:[*]|[^*\\n\\u0000]+[*]?)$" });

const fields = {
  name: text(200),
  url: text(2048).meta({ format: "uri" }),
  event_types: z.array(pattern, { error: "must be an array of event types" })
    .min(1, "must contain at least one event type").max(100, "must contain at most 100 event types")
    .meta({ description: 'Exact types, prefixes such as "customer.*", or "*" for all types.' }),
  filter: eventCondition.nullable().optional().meta({
    description: "Condition that a message must meet. Paths of properties start at the event's " +
      "properties or, for the types of the service, at the payload. Null for all messages.",
  }),
  headers: requestHeaders.optional(),
  enabled: boolean.optional(),
  rate_limit_per_second: integer(1, outboundLimits.maxRatePerSecond).nullable().optional(),
  max_concurrency: integer(1, outboundLimits.maxConcurrency).optional().meta({
    description: `Defaults to ${outboundLimits.defaultConcurrency}.`,
  }),
  description: text(1000).nullable().optional(),
};

/** Most levels of JSON in a body with a filter, which `expected` has one level deeper. */
export const bodyDepth = maxConditionDepth + 2;

export const newDestination = z.strictObject(fields).meta({
  example: {
    name: "Warehouse",
    url: "https://example.com/hooks",
    event_types: ["order_completed"],
  },
});

export const destinationEdit = z.strictObject({
  ...fields,
  name: fields.name.optional(),
  url: fields.url.optional(),
  event_types: fields.event_types.optional(),
  expected,
}).meta({ description: "Omitted fields keep their value.", example: { enabled: false } });

/** Throws `invalid_input` for a URL that must not receive messages. */
export function requireUrl(url: string | undefined, allowed: AllowedRanges): void {
  if (url === undefined) return;
  const check = validateDestinationUrl(url, allowed);
  if (check.ok) return;
  throw invalidInput([{ field: "url", message: check.message.replace(/^url /, "") }]);
}

export const startedJob = z.object({
  job_id: id,
  matched: z.int().meta({
    description:
      "Number of messages in the job. For a replay, an estimate from the newest 10,000 failed " +
      "attempts.",
  }),
}).meta({ id: "StartedJob" });

/** Most bytes of the payload of a test event, as JSON. */
export const maxPayloadBytes = 32 * 1024;

const payload = record
  .refine((value) => countBytes(JSON.stringify(value)) <= maxPayloadBytes, {
    message: `must be at most ${maxPayloadBytes / 1024} KiB of JSON`,
  });

export const testMessage = z.strictObject({
  event_type: text(200).optional().meta({
    description:
      "The name of a tracked event or a type of the service. Without it, a ping is sent.",
  }),
  payload: payload.optional().meta({
    description: `At most ${maxPayloadBytes / 1024} KiB of JSON. By default, the payload of the ` +
      "newest event with this name.",
  }),
}).check(({ value, issues }) => {
  if (value.payload === undefined) return;
  const message = value.event_type === undefined
    ? "must be given with a payload"
    : value.event_type === "ping"
    ? 'must not be "ping" with a payload'
    : undefined;
  if (message === undefined) return;
  issues.push({ code: "custom", message, input: value.event_type, path: ["event_type"] });
}).meta({
  example: { event_type: "order_created", payload: { properties: { total: 12.5 } } },
});

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

export const sentMessage = z.object({ message_id: id }).meta({ id: "SentMessage" });
