import {
  type HmacSender,
  hmacSenders,
} from "../../../../supabase/functions/api/contract/hmac_senders.ts";

/** The settings of the scheme `hmac` as the fields of a form: what is left out is an empty text. */
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

export const EMPTY_HMAC: HmacValues = {
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

/** The fields as a sender is known to sign. */
export function valuesOfSender(name: keyof typeof hmacSenders): HmacValues {
  const { settings }: HmacSender = hmacSenders[name];
  return valuesOf(settings);
}

/** The fields of settings that a source has. */
export function valuesOf(settings: Partial<HmacValues> | HmacSender["settings"]): HmacValues {
  return { ...EMPTY_HMAC, ...settings } as HmacValues;
}

/** The settings that the fields amount to. */
export function readHmac(values: HmacValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}
