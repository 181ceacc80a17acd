import { isRecord, type JsonFault, maxFaults, type ParsedJson } from "../../_shared/json/json.ts";

/** What a batch says of all its messages. */
export interface Envelope {
  context: Record<string, unknown> | undefined;
  integrations: Record<string, unknown> | undefined;
  sentAt: unknown;
  /** What `parseJson` found wrong in the context, which is so in every message. */
  faults: readonly JsonFault[];
}

/** Reads what a batch has beside its messages. */
export function readEnvelope({ value, faults }: ParsedJson): Envelope {
  const { context, integrations, sentAt } = isRecord(value) ? value : {};
  const outside = faults.filter(({ path }) => path[0] !== "batch");
  return {
    context: isRecord(context) ? context : undefined,
    integrations: isRecord(integrations) ? integrations : undefined,
    sentAt,
    // Where there were more to find than are looked for, some may be in the context.
    faults: outside.length < maxFaults
      ? outside.filter(({ path }) => path[0] === "context")
      : outside,
  };
}

/**
 * The message with what its envelope says merged in, key by key; the message's own keys win. What
 * is no object is left as it is, for validation to tell of.
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

/** Bytes that merging adds to `count` messages, at most. */
export function countMerged({ context, integrations }: Envelope, count: number): number {
  const texts = [context, integrations].map((each) => each ? JSON.stringify(each) : "");
  return new TextEncoder().encode(texts.join("")).byteLength * count;
}
