import {
  claimToken,
  findCustomersByEmail,
  findSends,
  type Receipt,
  recordReceipt,
} from "./inbound_queries.ts";
import { throwWriteFailure } from "../_shared/db/errors.ts";
import { ingestWithin } from "../_shared/entries/ingest.ts";
import { retryLostRaces } from "../_shared/db/retry.ts";
import { runTransaction } from "../_shared/db/transaction.ts";
import { maxEntryBytes } from "../_shared/entries/read_entry.ts";
import { ApiError } from "../_shared/errors/errors.ts";
import { signsTokenOnly } from "../_shared/sources/body_signature.ts";
import { readItems } from "../_shared/sources/mapping.ts";
import { type Prepared, prepareMessage } from "../_shared/sources/prepare.ts";
import {
  type CharacterBudget,
  createCharacterBudget,
  maxBuiltCharacters,
} from "../_shared/sources/character_budget.ts";
import { chargeRemainingEntries } from "../_shared/rate_limit/rate_limit.ts";
import {
  type DescribedMessage,
  describeRepeat,
  describeStored,
  type VerifiedMessage,
} from "./describe_message.ts";
import type { InboundService } from "./service.ts";

export interface StoredMessage {
  receiptId: string;
  receipt: Receipt;
}

/** Stores the entries of a message and its receipt; resolves after the commit. */
export async function storeMessage(
  service: InboundService,
  message: VerifiedMessage,
): Promise<StoredMessage> {
  const { workspaceId, rules, scheme } = message.source;
  const items = readItems(rules, message.payload)?.length ?? 1;
  const room = await service.entryGate.enter(Math.min(maxBuiltCharacters, items * maxEntryBytes));
  try {
    const budget = createCharacterBudget({ takeToken: () => service.limiter.take(workspaceId, 1) });
    const prepared = await prepare(service, { ...message, budget });
    const texts = prepared.flatMap((each) => each.kind === "entry" ? [each.text] : []);
    room.shrinkTo(texts.reduce((sum, { length }) => sum + length, 0));
    const unpaid = texts.length - budget.paid();
    await chargeRemainingEntries(service.limiter, {
      workspaceId,
      entries: unpaid,
      paid: message.paid,
    });
    const commit = signsTokenOnly(scheme) ? commitOnce : commitBatched;
    return await commit(service, { message, prepared, texts });
  } finally {
    room.leave();
  }
}

async function prepare(
  { sql, now }: InboundService,
  { source, payload, messageId, receipt, budget }: VerifiedMessage & { budget: CharacterBudget },
): Promise<Prepared[]> {
  const { id: sourceId, workspaceId, rules } = source;
  const { headers } = receipt;
  const receivedAt = now().getTime();
  return await prepareMessage(
    { sourceId, workspaceId, rules, payload, headers, messageId, receivedAt },
    {
      budget,
      findByEmail: (emails) => findCustomersByEmail(sql, { workspaceId, emails }),
      findSends: (reports) => findSends(sql, { workspaceId, reports }),
    },
  );
}

interface Commit {
  message: VerifiedMessage;
  prepared: readonly Prepared[];
  /** JSON texts of the valid entries. */
  texts: readonly string[];
}

/** Stores the entries together with those of other requests, then the receipt. */
async function commitBatched(
  { sql, batcher }: InboundService,
  { message, prepared, texts }: Commit,
): Promise<StoredMessage> {
  const results = texts.length === 0 ? [] : await batcher.add(message.source.workspaceId, texts);
  try {
    return await record(sql, describeStored(message, { prepared, results }));
  } catch (cause) {
    // Entries are stored: a 503 would promise that nothing was.
    if (results.some((result) => result.ok && result.duplicate !== true)) {
      throw new ApiError("internal_error", "Internal error", { cause });
    }
    throwWriteFailure(cause);
  }
}

/** Stores everything in one transaction, which commits only for the first message with a token. */
function commitOnce(
  { sql }: InboundService,
  { message, prepared, texts }: Commit,
): Promise<StoredMessage> {
  const { source: { workspaceId, id: sourceId }, messageId: token } = message;
  const run = () =>
    runTransaction(sql, "read write", async (tx) => {
      const isFirst = await claimToken(tx, { workspaceId, sourceId, token });
      if (!isFirst) return await record(tx, describeRepeat(message));
      const results = texts.length === 0 ? [] : await ingestWithin(tx, texts);
      return await record(tx, describeStored(message, { prepared, results }));
    });
  return retryLostRaces(run).catch(throwWriteFailure);
}

async function record(
  sql: InboundService["sql"],
  { receipt, rejections }: DescribedMessage,
): Promise<StoredMessage> {
  return { receiptId: await recordReceipt(sql, receipt, rejections), receipt };
}
