import type { Sender } from "../../api/types.ts";

export type Provider = Sender["provider"];

/** A field of a provider's configuration. */
export interface ProviderField {
  name: string;
  label: string;
  placeholder?: string;
  description?: string;
  kind: "text" | "number" | "encryption" | "secret";
  isRequired?: boolean;
  /** Stands beside another one where there is space. */
  isHalf?: boolean;
}

const apiKey: ProviderField = {
  name: "api_key",
  label: "API key",
  kind: "secret",
  isRequired: true,
};

function baseUrl(placeholder: string): ProviderField {
  return {
    name: "base_url",
    label: "Base URL",
    description: "Leave empty unless your account is in another region",
    placeholder,
    kind: "text",
  };
}

/** Providers by name, with the fields that each needs. */
export const providers: Record<Provider, { label: string; fields: ProviderField[] }> = {
  smtp: {
    label: "SMTP",
    fields: [
      {
        name: "host",
        label: "Host",
        placeholder: "mail.example.com",
        kind: "text",
        isRequired: true,
        isHalf: true,
      },
      { name: "port", label: "Port", kind: "number", isRequired: true, isHalf: true },
      {
        name: "secure",
        label: "Encryption",
        description: "Choose what your email server supports. Email is never sent unencrypted",
        kind: "encryption",
      },
      { name: "username", label: "User name", kind: "text", isHalf: true },
      { name: "password", label: "Password", kind: "secret", isHalf: true },
    ],
  },
  resend: { label: "Resend", fields: [apiKey] },
  postmark: {
    label: "Postmark",
    fields: [
      { ...apiKey, label: "Server token" },
      {
        name: "message_stream",
        label: "Message stream",
        placeholder: "outbound",
        description: "Use a broadcast stream for marketing",
        kind: "text",
      },
    ],
  },
  sendgrid: { label: "SendGrid", fields: [apiKey, baseUrl("https://api.eu.sendgrid.com")] },
  mailgun: {
    label: "Mailgun",
    fields: [
      apiKey,
      {
        name: "domain",
        label: "Domain",
        placeholder: "mg.example.com",
        kind: "text",
        isRequired: true,
      },
      baseUrl("https://api.eu.mailgun.net"),
    ],
  },
  ses: {
    label: "Amazon SES",
    fields: [
      { name: "access_key_id", label: "Access key ID", kind: "text", isRequired: true },
      { name: "secret_access_key", label: "Secret access key", kind: "secret", isRequired: true },
      {
        name: "region",
        label: "Region",
        placeholder: "eu-west-1",
        kind: "text",
        isRequired: true,
      },
      { name: "configuration_set", label: "Configuration set", kind: "text" },
    ],
  },
  inbox: { label: "Local inbox", fields: [] },
};

/** Ways to encrypt a connection to a mail server, each with its usual port. */
export const encryptions = [
  { isSecure: true, name: "TLS", label: "TLS (port 465)", port: 465 },
  { isSecure: false, name: "STARTTLS", label: "STARTTLS (port 587)", port: 587 },
] as const;

/** Names of the fields that hold credentials. */
export const secretFields: readonly string[] = [
  ...new Set(
    Object.values(providers).flatMap(({ fields }) =>
      fields.filter(({ kind }) => kind === "secret").map(({ name }) => name)
    ),
  ),
];

type Config = Record<string, string | number | boolean>;

/** The values that the form shows for a configuration; secrets are never shown. */
export function toConfigValues(config: Record<string, unknown> = {}): Config {
  const values: Config = {};
  for (const { fields } of Object.values(providers)) {
    for (const { name, kind } of fields) {
      const stored = config[name] as string | number | boolean | undefined;
      values[name] = stored ?? (kind === "encryption" ? true : kind === "number" ? 465 : "");
    }
  }
  return values;
}

/** The configuration of a provider that the form's values make. An empty field is left out. */
export function fromConfigValues(provider: Provider, values: Config): Config {
  const given = providers[provider].fields
    .map(({ name }) => [name, values[name] ?? ""] as const)
    .filter(([, value]) => value !== "");
  return Object.fromEntries(given);
}

/**
 * Finds required fields of a provider in which nothing stands, each with a sentence.
 *
 * @param isStored whether the api has a secret for this provider, which an empty field keeps.
 */
export function findMissing(
  provider: Provider,
  { values, isStored }: { values: Config; isStored: boolean },
): Record<string, string> {
  const missing = providers[provider].fields.filter(({ name, kind, isRequired }) =>
    isRequired && !(isStored && kind === "secret") && String(values[name] ?? "").trim() === ""
  );
  return Object.fromEntries(
    missing.map(({ name, label }) => [`config.${name}`, `${label} is required`]),
  );
}

/** Describes the configuration of a provider by label. Secrets are left out. */
export function describeConfig(
  provider: Provider,
  config: Record<string, unknown>,
): [label: string, value: string | null][] {
  return providers[provider].fields
    .filter(({ kind }) => kind !== "secret")
    .map(({ name, label, kind }) => {
      const value = config[name];
      if (kind === "encryption") {
        return [label, encryptions.find(({ isSecure }) => isSecure === value)?.name ?? null];
      }
      return [label, value === undefined ? null : String(value)];
    });
}
