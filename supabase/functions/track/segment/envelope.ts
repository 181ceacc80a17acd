import { isRecord, type JsonFault, maxFaults, type ParsedJson } from "../../_shared/json/json.ts";

/** Fields of a batch that apply to all its messages. */
export interface Envelope {
  context: Record<string, unknown> | undefined;
  integrations: Record<string, unknown> | undefined;
  sentAt: unknown;
  /** Faults that `parseJson` found in the context, which each message inherits. */
  faults: readonly JsonFault[];
}

/** Reads the fields of a batch beside its messages. */
export function readEnvelope({ value, faults }: ParsedJson): Envelope {
  const { context, integrations, sentAt } = isRecord(value) ? value : {};
  const outside = faults.filter(({ path }) => path[0] !== "batch");
  return {
    context: isRecord(context) ? context : undefined,
    integrations: isRecord(integrations) ? integrations : undefined,
    sentAt,
    // If the number of faults reached its limit, some may be in the context.
    faults: outside.length < maxFaults
      ? outside.filter(({ path }) => path[0] === "context")
      : outside,
  };
}

/**
 * Merges the envelope's fields into a message, key by key; the message's own keys win. A value that
 * is not an object stays unchanged, and validation reports it.
 */
export function mergeEnvelope(message: unknown, envelope: Partial<Envelope>): unknown {
  if (!isRecord(message)) return message;
  const { context, integrations } = envelope;
  return {
    ...message,
    ...mergeMember("context", message.context, context),
    ...mergeMember("integrations", message.integrations, integrations),
  };
}

function mergeMember(
  name: string,
  own: unknown,
  common: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (common === undefined) return {};
  if (own === undefined || own === null) return { [name]: common };
  return isRecord(own) ? { [name]: { ...common, ...own } } : {};
}

/** Returns the most bytes that merging adds to `count` messages. */
export function countMerged({ context, integrations }: Envelope, count: number): number {
  const texts = [context, integrations].map((each) => each ? JSON.stringify(each) : "");
  return new TextEncoder().encode(texts.join("")).byteLength * count;
}
