import { z } from "zod";
import { eventName } from "../entries/fields.ts";
import { maxEntryBytes } from "../entries/read_entry.ts";
import { isRecord } from "../json/json.ts";
import {
  asInstant,
  asText,
  type Draft,
  dropMissing,
  ignore,
  type MappedItem,
  refuse,
  refuseTooLarge,
} from "./drafts.ts";
import { measureJson, type Sizes } from "./json_size.ts";
import { splitPayload } from "./payload.ts";
import { mapMailgun } from "./presets/mailgun.ts";
import { mapPostmark } from "./presets/postmark.ts";
import { mapResend } from "./presets/resend.ts";
import { mapSendgrid } from "./presets/sendgrid.ts";
import { mapSes } from "./presets/ses.ts";
import { mapShopify } from "./presets/shopify.ts";
import type { Preset } from "./sources.ts";
import {
  type Material,
  pointer,
  propertySources,
  readPointer,
  readValue,
  valueSource,
  withoutProto,
} from "./values.ts";

const maxMappingBytes = 16 * 1024;

/** Mapping of payloads to events, as the user of a source enters it. */
export const mappingSchema = z.strictObject({
  items: pointer.optional().describe("An array in the payload, with one event per member"),
  name: valueSource.optional().describe("The event's name; required without a preset"),
  names: withoutProto(z.record(z.string(), eventName, "must be an object of event names"))
    .optional()
    .describe("New names by original name; events with other names are ignored"),
  external_id: valueSource.optional(),
  anon_id: valueSource.optional(),
  email: valueSource.optional().describe("Identifies the customer if neither id has a value"),
  occurred_at: valueSource.optional()
    .describe("A time with offset, Unix seconds or milliseconds; default: time of receipt"),
  idempotency_key: valueSource.optional().describe("Default: the sender's own id of the event"),
  properties: propertySources.optional()
    .describe("Location of an object of properties, or one source per property"),
}, "must be an object that says where values come from").check((ctx) => {
  const bytes = new TextEncoder().encode(JSON.stringify(ctx.value)).byteLength;
  if (bytes <= maxMappingBytes) return;
  const message = `must not be over ${maxMappingBytes} bytes of JSON`;
  ctx.issues.push({ code: "custom", message, input: ctx.value });
});

export type Mapping = z.output<typeof mappingSchema>;

/** Settings of a source that decide how its payloads are read. */
export interface MappingRules {
  preset: Preset | null;
  mapping: Mapping | null;
}

/** Payload of a received message, with its id and headers. */
export interface ReceivedPayload extends Material {
  /** The sender's id of the message, or its substitute. */
  messageId: string;
}

/**
 * Returns the items of a payload: itself, its members if it is an array, or the target of `items`.
 */
export function readItems(
  { mapping }: MappingRules,
  payload: unknown,
): readonly unknown[] | undefined {
  if (mapping?.items === undefined) return splitPayload(payload);
  const items = readPointer(mapping.items, payload);
  return Array.isArray(items) ? items : undefined;
}

/** Maps one item of a payload to calls. */
export function mapItem(rules: MappingRules, received: ReceivedPayload): MappedItem {
  const { preset, mapping } = rules;
  if (preset !== null) {
    const mapped = presetMaps[preset](received, received.messageId);
    return mapping === null ? mapped : replaceIds(mapped, mapping, received);
  }
  // Rejected, not ignored: once the source has a mapping, the item can be resent.
  if (mapping === null) {
    return refuse("mapping", "is missing: set a mapping or a preset on the source");
  }
  return mapByPointers(mapping, received);
}

const presetMaps: Readonly<
  Record<Preset, (material: Material, messageId: string) => MappedItem>
> = {
  shopify: mapShopify,
  resend: mapResend,
  sendgrid: mapSendgrid,
  postmark: mapPostmark,
  mailgun: mapMailgun,
  ses: mapSes,
};

function mapByPointers(mapping: Mapping, received: ReceivedPayload): MappedItem {
  const read = (field: keyof Mapping & keyof typeof mappingSchema.shape) => {
    const source = mapping[field];
    return source === undefined ? undefined : readValue(source as never, received);
  };
  const sent = read("name");
  if (asText(sent) === undefined) return refuse("name", "was not found in the payload");
  const name = nameOf(mapping, String(sent));
  if (name === undefined) return ignore(`Name "${String(sent).slice(0, 200)}" is not mapped`);
  const properties = readProperties(mapping, received);
  if (properties === undefined) return refuse("properties", "must be an object in the payload");
  if (properties === "too large") return refuseTooLarge();
  for (const field of ["external_id", "anon_id", "email", "idempotency_key"] as const) {
    const value = read(field);
    if (value === undefined || typeof value === "string" || typeof value === "number") continue;
    return refuse(field, "must be a string or a number in the payload");
  }
  const email = asText(read("email"));
  const draft: Draft = {
    key: asText(read("idempotency_key")) ?? received.messageId,
    ...email === undefined ? {} : { email },
    entry: dropMissing({
      name,
      external_id: asText(read("external_id")),
      anon_id: asText(read("anon_id")),
      occurred_at: asInstant(read("occurred_at")),
      properties,
    }),
  };
  return { kind: "drafts", drafts: [draft] };
}

function nameOf({ names }: Mapping, sent: string): string | undefined {
  if (names === undefined) return sent;
  return Object.hasOwn(names, sent) ? names[sent] : undefined;
}

/** Returns the properties of an event; stops once they exceed its size limit. */
function readProperties(
  { properties }: Mapping,
  material: Material,
): Record<string, unknown> | undefined | "too large" {
  if (properties === undefined) return {};
  if (typeof properties === "string") {
    const found = readPointer(properties, material.payload) ?? {};
    return isRecord(found) ? found : undefined;
  }
  const read: [string, unknown][] = [];
  const sizes: Sizes = new Map();
  let size = 0;
  for (const [name, source] of Object.entries(properties)) {
    const value = readValue(source, material);
    if (value === undefined || value === null) continue;
    size += name.length + measureJson(value, maxEntryBytes, sizes);
    if (size > maxEntryBytes) return "too large";
    read.push([name, value]);
  }
  return Object.fromEntries(read);
}

/**
 * Returns the highest cost of mapping one item, in steps: a step of a pointer has two characters.
 */
export function costOfItem({ mapping }: MappingRules): number {
  return mapping === null ? 0 : Math.ceil(JSON.stringify(mapping).length / 4);
}

/** Replaces the customer of a preset's calls with the mapping's, if it names one. */
function replaceIds(mapped: MappedItem, mapping: Mapping, material: Material): MappedItem {
  if (mapped.kind !== "drafts") return mapped;
  const read = (source: Mapping["external_id"]) =>
    source === undefined ? undefined : asText(readValue(source, material));
  const ids = dropMissing({
    external_id: read(mapping.external_id),
    anon_id: read(mapping.anon_id),
  });
  const email = read(mapping.email);
  const drafts = mapped.drafts.map((draft) => ({
    ...draft,
    ...email === undefined ? {} : { email },
    entry: { ...draft.entry, ...ids },
  }));
  return { kind: "drafts", drafts };
}
