import {
  findCustomersByEmail,
  type Receipt,
  type ReceiptOutcome,
  type ReceiptResult,
} from "../_shared/db/inbound.ts";
import { type IngestResult, maxIngestEntries } from "../_shared/db/ingest.ts";
import { cutEntry, type Rejection } from "../_shared/db/rejected_entries.ts";
import { ApiError } from "../_shared/errors.ts";
import { type Prepared, prepareMessage } from "../_shared/inbound/prepare.ts";
import { takeForRest } from "../_shared/rate_limit.ts";
import type { InboundService } from "./service.ts";
import type { Source } from "./source_book.ts";

export interface VerifiedMessage {
  source: Source;
  payload: unknown;
  messageId: string;
  receipt: Receipt;
}

export interface StoredMessage {
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

/** Stores the entries that a message becomes; resolves after they are committed. */
export async function storeMessage(
  service: InboundService,
  message: VerifiedMessage,
): Promise<StoredMessage> {
  const prepared = await prepare(service, message);
  const entries = prepared.filter((each) => each.kind === "entry");
  const { workspaceId } = message.source;
  await takeForRest(service.limiter, { workspaceId, entries: entries.length });
  const texts = entries.map(({ text }) => text);
  const results = texts.length === 0 ? [] : await service.batcher.add(texts);
  let next = 0;
  const outcomes = prepared.map((each): Outcome => {
    if (each.kind !== "entry") return each;
    const result = results[next++];
    if (result === undefined) throw new Error("Cannot answer: the database left out a result");
    return { kind: "stored", prepared: each, result };
  });
  return {
    receipt: completeReceipt(message.receipt, outcomes),
    rejections: outcomes.flatMap((outcome) => readRejection(message, outcome)),
  };
}

async function prepare(
  { sql, now }: InboundService,
  { source, payload, messageId, receipt }: VerifiedMessage,
): Promise<Prepared[]> {
  const { workspaceId, rules } = source;
  const { headers } = receipt;
  const receivedAt = now().getTime();
  const message = {
    sourceId: source.id,
    workspaceId,
    rules,
    payload,
    headers,
    messageId,
    receivedAt,
  };
  const prepared = await prepareMessage(message, (emails) => {
    return findCustomersByEmail(sql, { workspaceId, emails });
  });
  // More than any sender puts into a body of 1 MiB.
  if (prepared.length > maxIngestEntries) {
    const message = `Payload must not hold over ${maxIngestEntries} entries`;
    throw new ApiError("payload_too_large", message);
  }
  return prepared;
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
    const { error, field } = outcome.result;
    return { name, error, field };
  }
  const { event_id, customer_id, duplicate } = outcome.result;
  return { name, event_id, customer_id, ...duplicate ? { duplicate } : {} };
}

function readRejection(message: VerifiedMessage, outcome: Outcome): Rejection[] {
  const reason = reasonOf(outcome);
  if (reason === undefined) return [];
  const { source, receipt } = message;
  const { item, part } = outcome.kind === "stored" ? outcome.prepared : { part: null, ...outcome };
  return [{
    workspace_id: source.workspaceId,
    door: "inbound",
    source_id: source.id,
    headers: receipt.headers,
    message_id: item.messageId,
    ...cutEntry(item.value),
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
  const { code, error, field } = outcome.result;
  return { code, error, field };
}
