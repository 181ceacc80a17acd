import {
  type HmacSender,
  hmacSenders,
} from "../../../../supabase/functions/api/contract/hmac_senders.ts";

/** The settings of the scheme `hmac` as form fields. A setting without a value is empty. */
export interface HmacValues {
  header: string;
  algorithm: string;
  encoding: string;
  prefix: string;
  separator: string;
  signed: string;
  timestamp_header: string;
  timestamp_prefix: string;
  timestamp_unit: string;
  tolerance_seconds: number | string;
  secret_encoding: string;
  url: string;
}

export const emptyHmac: HmacValues = {
  header: "",
  algorithm: "sha256",
  encoding: "hex",
  prefix: "",
  separator: "",
  signed: "{body}",
  timestamp_header: "",
  timestamp_prefix: "",
  timestamp_unit: "seconds",
  tolerance_seconds: 300,
  secret_encoding: "text",
  url: "",
};

/** Returns the fields for a known sender. */
export function valuesOfSender(name: keyof typeof hmacSenders): HmacValues {
  const { settings }: HmacSender = hmacSenders[name];
  return valuesOf(settings);
}

/** Returns the fields for a source's settings. */
export function valuesOf(settings: Partial<HmacValues> | HmacSender["settings"]): HmacValues {
  return { ...emptyHmac, ...settings } as HmacValues;
}

/** Turns the fields into settings. */
export function readHmac(values: HmacValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** Returns the known sender that signs with these settings. */
export function findSender(values: HmacValues): keyof typeof hmacSenders | undefined {
  const names = Object.keys(hmacSenders) as (keyof typeof hmacSenders)[];
  return names.find((name) =>
    describeSignature(valuesOfSender(name)) === describeSignature(values)
  );
}

/** Two senders sign alike if this text is the same. Tolerance and URL are the user's choice. */
function describeSignature(values: HmacValues): string {
  const { tolerance_seconds: _, url: __, ...rest } = values;
  return JSON.stringify({
    ...rest,
    header: rest.header.toLowerCase(),
    timestamp_header: rest.timestamp_header.toLowerCase(),
  });
}
