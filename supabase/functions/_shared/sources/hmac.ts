import { z } from "zod";
import { keptHeaders } from "./kept_headers.ts";

/** A header's name, normalized to lower case. */
const headerName = z.string("must be the name of a header").trim().toLowerCase()
  .regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, "must be the name of a header, like x-signature");

/** Placeholders of a signed text, besides plain characters. */
const parts = ["body", "timestamp", "method", "url"] as const;

export type SignedPart = (typeof parts)[number];

const printable = /^[\x20-\x7e]*$/;
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(", ")}`);

const templateRule = `must contain {body} once, and of the rest only ${
  parts.slice(1).map((part) => `{${part}}`).join(", ")
} and printable ASCII`;

const template = z.string(templateRule).max(200, "must be at most 200 characters long")
  .regex(printable, templateRule)
  .refine((text) => {
    const read = readTemplate(text);
    return read.filter((piece) => typeof piece !== "string" && piece.part === "body").length ===
        1 &&
      read.every((piece) => typeof piece !== "string" || !/[{}]/.test(piece));
  }, templateRule);

const affix = z.string("must be a string").max(32, "must be at most 32 characters long")
  .regex(printable, "must be printable ASCII");

/** HMAC settings of a source, as its user enters them. */
export const hmacSchema = z.strictObject({
  header: headerName.refine(
    (name) => !keptHeaders.includes(name),
    "must be the header of the signature, not one that receipts keep and show",
  ).meta({ description: "The header with the signature", example: "x-signature" }),
  algorithm: oneOf(["sha256", "sha1", "sha512"]).default("sha256"),
  encoding: oneOf(["hex", "base64"]).default("hex"),
  prefix: affix.default("").meta({
    description: "Prefix of a signature, such as sha256= or v1=; other parts are " +
      "skipped",
  }),
  separator: oneOf([",", ";", " "]).optional()
    .meta({ description: "Separator between the parts of the header" }),
  signed: template.default("{body}").meta({
    description:
      "Signed text, built from {body}, {timestamp}, {method}, {url} and plain characters",
    example: "{timestamp}.{body}",
  }),
  timestamp_header: headerName.optional()
    .meta({ description: "The header with the time, if it is separate" }),
  timestamp_prefix: affix.min(1, "must not be empty").optional()
    .meta({
      description: "Prefix of the time, if it is part of the signature's header",
    }),
  timestamp_unit: oneOf(["seconds", "milliseconds"]).default("seconds"),
  tolerance_seconds: z.int("must be a whole number of seconds").min(1, "must be at least 1")
    .max(3600, "must be at most 3600").default(300)
    .meta({ description: "Largest difference between a signed time and now, in either direction" }),
  secret_encoding: oneOf(["text", "base64", "hex"]).default("text")
    .meta({ description: "Encoding of the secret; its bytes are the key" }),
  url: z.string("must be an address").max(500, "must be at most 500 characters long")
    .regex(/^https?:\/\/[\x21-\x7e]+$/, "must be an address").optional()
    .meta({
      description: "For {url}: the URL that the sender uses, if it differs from the source's URL",
    }),
}, "must be an object that describes how the sender signs").check((ctx) => {
  for (const [field, message] of findContradictions(ctx.value)) {
    ctx.issues.push({ code: "custom", message, input: ctx.value, path: [field] });
  }
});

export type HmacSettings = z.output<typeof hmacSchema>;

type Contradiction = [field: string, message: string];

function findContradictions(
  { signed, prefix, separator, timestamp_header, timestamp_prefix }: HmacSettings,
): Contradiction[] {
  const found: Contradiction[] = [];
  const isTimed = timestamp_header !== undefined || timestamp_prefix !== undefined;
  if (timestamp_header !== undefined && timestamp_prefix !== undefined) {
    found.push(["timestamp_prefix", "must be left out if timestamp_header is set"]);
  }
  if (timestamp_prefix !== undefined && separator === undefined) {
    found.push(["separator", "is required with timestamp_prefix"]);
  }
  if (timestamp_prefix !== undefined && timestamp_prefix === prefix) {
    found.push(["timestamp_prefix", "must not be the prefix of the signature"]);
  }
  if (separator !== undefined && `${prefix}${timestamp_prefix ?? ""}`.includes(separator)) {
    found.push(["separator", "must not be a part of a prefix"]);
  }
  if (signed.includes("{timestamp}") !== isTimed) {
    const message = isTimed
      ? "must contain {timestamp}: a time that is not signed proves nothing"
      : "must not contain {timestamp} without timestamp_header or timestamp_prefix";
    found.push(["signed", message]);
  }
  return found;
}

/** Splits a template into plain text and placeholders. */
export function readTemplate(text: string): (string | { part: SignedPart })[] {
  return text.split(/(\{(?:body|timestamp|method|url)\})/).filter((piece) => piece !== "")
    .map((piece) => {
      const part = parts.find((name) => piece === `{${name}}`);
      return part === undefined ? piece : { part };
    });
}
