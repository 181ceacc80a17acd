import type { Receipt, ReceiptOutcome, ReceiptResult } from "./inbound_queries.ts";
import type { IngestResult } from "../_shared/entries/ingest.ts";
import { cutEntry, type Rejection } from "../_shared/entries/rejected_entries.ts";
import type { Item, Prepared } from "../_shared/sources/prepare.ts";
import type { Source } from "./source_book.ts";

export interface VerifiedMessage {
  source: Source;
  /** The payload without an embedded signature. */
  payload: unknown;
  messageId: string;
  receipt: Receipt;
  /** Tokens taken for its body. */
  paid: number;
}

/** The parts of a message to record. */
export interface DescribedMessage {
  receipt: Receipt;
  rejections: readonly Rejection[];
}

const maxResults = 100;

type PreparedEntry = Extract<Prepared, { kind: "entry" }>;
type Outcome = Exclude<Prepared, PreparedEntry> | {
  kind: "stored";
  prepared: PreparedEntry;
  result: IngestResult;
};

/** Builds the receipt of a stored message, and its rejected entries. */
export function describeStored(
  message: VerifiedMessage,
  { prepared, results }: { prepared: readonly Prepared[]; results: readonly IngestResult[] },
): DescribedMessage {
  let next = 0;
  const outcomes = prepared.map((each): Outcome => {
    if (each.kind !== "entry") return each;
    const result = results[next++];
    if (result === undefined) throw new Error("Cannot respond: the database left out a result");
    if (!result.ok && result.is_erased) {
      return { kind: "ignored", item: each.item, reason: result.error, isErased: true };
    }
    return { kind: "stored", prepared: each, result };
  });
  const kept = new Map<Item, Kept>();
  return {
    receipt: {
      ...completeReceipt(message.receipt, outcomes),
      // It names somebody who was erased.
      ...outcomes.some((one) => one.kind === "ignored" && one.isErased) && { body: null },
    },
    rejections: outcomes.flatMap((outcome) => readRejection(message, { outcome, kept })),
  };
}

/**
 * Builds the receipt of a message whose token was used before. It omits the body, which Mailgun did
 * not sign.
 */
export function describeRepeat({ receipt }: VerifiedMessage): DescribedMessage {
  return {
    receipt: { ...receipt, outcome: "duplicate", duplicates: 1, body: null },
    rejections: [],
  };
}

function completeReceipt(receipt: Receipt, outcomes: readonly Outcome[]): Receipt {
  const count = (isCounted: (outcome: Outcome) => boolean) => outcomes.filter(isCounted).length;
  const counts = {
    accepted: count((o) => o.kind === "stored" && o.result.ok && !o.result.duplicate),
    duplicates: count((o) => o.kind === "stored" && o.result.ok && o.result.duplicate === true),
    ignored: count((o) => o.kind === "ignored"),
    rejected: count((o) => o.kind === "refused" || (o.kind === "stored" && !o.result.ok)),
  };
  const results = outcomes.slice(0, maxResults).map(describeOutcome);
  const customer_ids = [...new Set(outcomes.flatMap(readCustomerId))];
  return { ...receipt, outcome: decideOutcome(counts), ...counts, results, customer_ids };
}

function readCustomerId(outcome: Outcome): string[] {
  return outcome.kind === "stored" && outcome.result.ok ? [outcome.result.customer_id] : [];
}

function decideOutcome(
  { accepted, duplicates, rejected }: { accepted: number; duplicates: number; rejected: number },
): ReceiptOutcome {
  if (rejected > 0) return "rejected";
  if (accepted > 0) return "accepted";
  return duplicates > 0 ? "duplicate" : "ignored";
}

function describeOutcome(outcome: Outcome): ReceiptResult {
  if (outcome.kind === "ignored") return { ignored: outcome.reason };
  if (outcome.kind === "refused") {
    const { name, error, field } = outcome;
    return { ...name === undefined ? {} : { name }, error, field };
  }
  const { entry } = outcome.prepared;
  const name = String(entry.name ?? entry.type);
  if (!outcome.result.ok) {
    const { error, field = "" } = outcome.result;
    return { name, error, field };
  }
  const { event_id, customer_id, duplicate } = outcome.result;
  return { name, event_id, customer_id, ...duplicate ? { duplicate } : {} };
}

type Kept = ReturnType<typeof cutEntry>;

function readRejection(
  message: VerifiedMessage,
  { outcome, kept }: { outcome: Outcome; kept: Map<Item, Kept> },
): Rejection[] {
  const reason = reasonOf(outcome);
  if (reason === undefined) return [];
  const { source, receipt } = message;
  const { item, part } = outcome.kind === "stored" ? outcome.prepared : { part: null, ...outcome };
  // One item may have become many entries: it is serialized once.
  const cut = kept.get(item) ?? cutEntry(item.value);
  kept.set(item, cut);
  return [{
    workspace_id: source.workspaceId,
    origin: "inbound",
    source_id: source.id,
    headers: receipt.headers,
    message_id: item.messageId,
    ...cut,
    part,
    ...reason,
    request_id: receipt.request_id,
  }];
}

function reasonOf(outcome: Outcome): Pick<Rejection, "code" | "error" | "field"> | undefined {
  if (outcome.kind === "refused") {
    const { code, error, field } = outcome;
    return { code, error, field };
  }
  if (outcome.kind === "ignored" || outcome.result.ok) return undefined;
  const { code, error, field = "" } = outcome.result;
  return { code, error, field };
}
