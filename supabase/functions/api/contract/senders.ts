import { z } from "zod";
import { email } from "../../_shared/entries/fields.ts";
import { outboundLimits } from "./limits.ts";
import { boolean, expected, id, integer, oneOf, text, timestamp } from "./fields.ts";
import { resourceKey } from "./resource_names.ts";
import { usedBy } from "./uses.ts";

/** Providers that deliver messages. `inbox` exists only in the local stack. */
export const providers = [
  "smtp",
  "resend",
  "postmark",
  "sendgrid",
  "mailgun",
  "ses",
  "inbox",
] as const;

export type Provider = (typeof providers)[number];

/** States of a sender's health. */
export const senderHealthStates = ["healthy", "failing", "disabled", "unused"] as const;

const unknownActions = ["stop", "repeat"] as const;

export const sender = z.object({
  id,
  key: z.string().nullable(),
  name: z.string().meta({ example: "Acme" }),
  provider: z.enum(providers),
  from: z.string().meta({ example: "Acme <hello@acme.example>" }),
  reply_to: z.string().nullable(),
  config: z.record(z.string(), z.unknown()).meta({
    description: "Without its secrets.",
    example: { host: "mail.acme.example", port: 465, secure: true, username: "acme" },
  }),
  rate_per_second: z.int().nullable(),
  max_concurrency: z.int(),
  on_unknown: z.enum(unknownActions).meta({
    description: "What happens to a send whose outcome is not known: it stays unknown, or is " +
      "sent again and may arrive twice.",
  }),
  enabled: z.boolean(),
  disabled_by: z.enum(["member", "key", "service", "operator"]).nullable(),
  disabled_reason: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  health: z.object({
    state: z.enum(senderHealthStates).meta({
      description: "failing: the newest messages failed because of the sender. disabled: " +
        "somebody disabled it. unused: nothing has been sent yet.",
    }),
    pending: z.int().meta({ description: "Messages waiting to be sent." }),
    next_attempt_at: timestamp.nullable(),
    ok_24h: z.int().meta({ description: "Messages that the provider accepted." }),
    failed_24h: z.int(),
    bounce_rate_24h: z.number().nullable().meta({
      description: "Percent of the messages sent in the last 24 hours that bounced permanently; " +
        "an address that is refused at once counts as sent and bounced. Null without any.",
    }),
    complaint_rate_24h: z.number().nullable().meta({
      description: "Percent of the messages sent in the last 24 hours that were reported as " +
        "spam; null without any.",
    }),
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
    last_error: z.string().nullable().meta({ description: "Reason of the last failure." }),
  }),
  rate_allowed: z.number().nullable().meta({
    description: "Messages per second that may be sent; null without a limit.",
  }),
  rate_reached: z.number().meta({ description: "Messages per second over the last 10 seconds." }),
  limited_by: z.string().nullable().meta({
    description: "What holds waiting messages back: `stopped`, `disabled`, `breaker`, `provider` " +
      "(it asked for a pause), `concurrency`, `rate`, `dispatch` (due now) or `schedule` (due " +
      "later); null if none waits.",
  }),
  used_by: usedBy,
}).meta({ id: "Sender" });

/** An address, with or without a name. */
const mailbox = text(320).refine(isMailbox, 'must be an address, or like "Acme <hi@acme.example>"')
  .meta({ example: "Acme <hello@acme.example>" });

function isMailbox(value: string): boolean {
  const [, name = "", inner] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(value.trim()) ?? [];
  const address = inner ?? value.trim();
  if (inner !== undefined && name.trim() === "") return false;
  // The part behind the @ ends up in Message-ID.
  return email.safeParse(address).success && /@.+\./.test(address);
}

const configFields = "Per provider: `smtp` host, port, secure, username?, password? · `resend` " +
  "api_key · `postmark` api_key, message_stream? · `sendgrid` api_key · `mailgun` api_key, domain " +
  "· `ses` access_key_id, secret_access_key, region, configuration_set? · `inbox` none. All but " +
  "smtp take a `base_url`. A secret that is left out is kept, unless the address it is sent to " +
  "changes.";

const config = z.record(z.string(), z.unknown(), "must be an object").meta({
  description: configFields,
  example: { api_key: "re_123" },
});

const fields = {
  name: text(200).meta({ example: "Acme" }),
  provider: oneOf(providers),
  from: mailbox,
  reply_to: mailbox.nullable().optional(),
  config: config.optional(),
  rate_per_second: integer(1, outboundLimits.maxRatePerSecond).nullable().optional(),
  max_concurrency: integer(1, outboundLimits.maxConcurrency).optional().meta({
    description: `Defaults to ${outboundLimits.defaultConcurrency}.`,
  }),
  on_unknown: oneOf(unknownActions).optional().meta({ description: "`stop` if omitted." }),
  enabled: boolean.optional(),
};

const example = {
  name: "Acme",
  provider: "resend",
  from: "Acme <hello@acme.example>",
  config: { api_key: "re_123" },
};

export const newSender = z.strictObject({ key: resourceKey.nullable().optional(), ...fields })
  .meta({ example: { key: "main", ...example } });

export const senderEdit = z.strictObject({
  ...fields,
  key: resourceKey.nullable().optional(),
  name: fields.name.optional(),
  provider: fields.provider.optional(),
  from: fields.from.optional(),
  expected,
}).meta({ description: "Omitted fields keep their value.", example: { enabled: false } });

export const senderTest = z.strictObject({
  to: email.optional().meta({
    description: "The user's own address if omitted. Required for an API key.",
  }),
}).meta({ example: { to: "ada@example.com" } });

export const dnsQuery = z.strictObject({
  selector: text(63).regex(/^[A-Za-z0-9_-]+$/, "must be a DNS label").optional().meta({
    description: "Selector of the DKIM key. If omitted, the provider's selectors are tried.",
  }),
});

const records = ["spf", "dkim", "dmarc"] as const;

export const senderDns = z.object({
  domain: z.string().meta({ example: "acme.example" }),
  ok: z.boolean().meta({ description: "True if nothing is missing." }),
  checks: z.array(z.object({
    record: z.enum(records),
    name: z.string().meta({ example: "_dmarc.acme.example" }),
    state: z.enum(["ok", "warning", "missing", "unknown"]).meta({
      description: "unknown: DNS did not answer, or the name cannot be guessed.",
    }),
    found: z.string().nullable().meta({ example: "v=DMARC1; p=none" }),
    message: z.string().meta({ example: "Mail that fails the checks is still accepted" }),
  })),
}).meta({ id: "SenderDns" });
