import { z } from "zod";
import { type AllowedRanges, validateDestinationUrl } from "../../../_shared/outbound/addresses.ts";
import { validate } from "../../../_shared/entries/validate.ts";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import { boolean, integer, text } from "../../contract/fields.ts";
import type { Provider } from "../../contract/senders.ts";

/** The place where this instance runs. */
export interface SenderPlace {
  allowedRanges: AllowedRanges;
  /** True on the hosted platform, which closes ports 25 and 587. */
  isHosted: boolean;
  /** True in the local stack. */
  hasInbox: boolean;
}

const secret = text(2_000);
const base_url = text(500).optional();
const apiKey = { api_key: secret.optional(), base_url };

/** Fields of each provider's configuration. Whether a secret is missing is checked later. */
const schemas: Record<Provider, z.ZodObject> = {
  smtp: z.strictObject({
    host: text(253).regex(/^[A-Za-z0-9.:_[\]-]+$/, "must be a host name or an address"),
    port: integer(1, 65_535),
    secure: boolean,
    username: text(320).nullable().optional(),
    password: secret.nullable().optional(),
  }),
  resend: z.strictObject(apiKey),
  postmark: z.strictObject({ ...apiKey, message_stream: text(100).optional() }),
  sendgrid: z.strictObject(apiKey),
  mailgun: z.strictObject({
    ...apiKey,
    domain: text(253).regex(/^[A-Za-z0-9.-]+$/, "must be a domain"),
  }),
  ses: z.strictObject({
    access_key_id: text(128),
    secret_access_key: secret.optional(),
    region: text(32).regex(/^[a-z0-9-]+$/, 'must be a region, like "eu-west-1"'),
    configuration_set: text(64).optional(),
    base_url,
  }),
  inbox: z.strictObject({}),
};

/** The field that is encrypted, and whether the provider works without it. */
const secretFields: Record<Provider, { name: string; isOptional: boolean } | undefined> = {
  smtp: { name: "password", isOptional: true },
  resend: { name: "api_key", isOptional: false },
  postmark: { name: "api_key", isOptional: false },
  sendgrid: { name: "api_key", isOptional: false },
  mailgun: { name: "api_key", isOptional: false },
  ses: { name: "secret_access_key", isOptional: false },
  inbox: undefined,
};

/** Fields that say where the secret is sent. */
const addressFields = ["host", "base_url", "region"] as const;

/** A checked configuration, with its secret apart. */
export interface CheckedConfig {
  config: Record<string, unknown>;
  /** JSON object of the secret; null to remove it; undefined to keep the stored one. */
  secrets: string | null | undefined;
}

/** A provider with the configuration that is stored, without its secret. */
export interface StoredConfig {
  provider: Provider;
  config: Record<string, unknown>;
}

/**
 * Checks the configuration of a sender and takes its secret out. A stored secret is kept only for
 * the address that it was given for, so that nobody can redirect it to another server.
 *
 * @throws {ApiError} `invalid_input`
 */
export function checkConfig(
  { provider, config: given }: { provider: Provider; config: Record<string, unknown> | undefined },
  stored: StoredConfig | undefined,
  place: SenderPlace,
): CheckedConfig {
  if (provider === "inbox" && !place.hasInbox) {
    refuse("provider", 'must not be "inbox": only the local stack has one');
  }
  const validated = validate(schemas[provider], given ?? {}, ["config"]);
  if (!validated.ok) throw invalidInput(validated.details);
  const config = dropEmpty(validated.value);
  checkAddress(config, place);
  const field = secretFields[provider];
  if (field === undefined) return { config, secrets: null };
  const { [field.name]: secret, ...open } = config;
  if (secret !== undefined) {
    return { config: open, secrets: JSON.stringify({ [field.name]: secret }) };
  }
  if (validated.value[field.name] === null) return { config: open, secrets: null };
  if (stored !== undefined && isSameAddress(stored, { provider, config: open })) {
    return { config: open, secrets: undefined };
  }
  if (field.isOptional && !config.username) return { config: open, secrets: null };
  const because = stored === undefined ? "" : ", because the address it is sent to changes";
  refuse(`config.${field.name}`, `is required${because}`);
}

function dropEmpty(config: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}

function isSameAddress(stored: StoredConfig, wanted: StoredConfig): boolean {
  return stored.provider === wanted.provider &&
    addressFields.every((name) => stored.config[name] === wanted.config[name]);
}

const closedPorts: ReadonlySet<unknown> = new Set([25, 587]);

function checkAddress(
  { host, port, base_url }: Record<string, unknown>,
  { allowedRanges, isHosted }: SenderPlace,
): void {
  if (isHosted && closedPorts.has(port)) {
    refuse("config.port", "must be 465 on the hosted platform: ports 25 and 587 are closed there");
  }
  if (typeof host === "string" && !validateDestinationUrl(`https://${host}/`, allowedRanges).ok) {
    refuse("config.host", "must name a host on the public internet");
  }
  if (typeof base_url !== "string") return;
  const check = validateDestinationUrl(base_url, allowedRanges);
  if (!check.ok) refuse("config.base_url", check.message.replace(/^url /, ""));
}

function refuse(field: string, message: string): never {
  throw invalidInput([{ field, message }]);
}
