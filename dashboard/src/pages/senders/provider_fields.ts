import type { Sender } from "../../api/types.ts";

export type Provider = Sender["provider"];

/** A field of a provider's configuration. */
export interface ProviderField {
  name: string;
  label: string;
  placeholder?: string;
  description?: string;
  kind: "text" | "number" | "switch" | "secret";
  isRequired?: boolean;
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
      },
      { name: "port", label: "Port", kind: "number", isRequired: true },
      {
        name: "secure",
        label: "TLS from the first byte",
        description: "On for port 465. Off for port 587, where STARTTLS is required",
        kind: "switch",
      },
      { name: "username", label: "User name", kind: "text" },
      { name: "password", label: "Password", kind: "secret" },
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
      values[name] = stored ?? (kind === "switch" ? true : kind === "number" ? 465 : "");
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
