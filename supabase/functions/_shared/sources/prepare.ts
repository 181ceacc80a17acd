import { addEffect } from "../entries/effects.ts";
import { maxIngestEntries } from "../entries/ingest.ts";
import { maxKeptCharacters } from "../entries/rejected_entries.ts";
import { entryTooLarge, maxEntryBytes, type ReadEntry, readEntry } from "../entries/read_entry.ts";
import {
  ApiError,
  describeDetails,
  describeEveryDetail,
  type ErrorCode,
} from "../errors/errors.ts";
import { inspectParsed } from "../json/json.ts";
import type { Draft, SendClaim } from "./drafts.ts";
import { measureJson, type Sizes } from "./json_size.ts";
import { costOfItem, mapItem, type MappingRules, readItems } from "./mapping.ts";
import { entryKey } from "./message_id.ts";
import type { CharacterBudget } from "./character_budget.ts";

/** A verified message and its source. */
export interface Message {
  sourceId: string;
  workspaceId: string;
  rules: MappingRules;
  payload: unknown;
  headers: Readonly<Record<string, string>>;
  messageId: string;
  /** Time of receipt in ms. */
  receivedAt: number;
}

/** One item of a payload; if there are several, each has an id of its own. */
export interface Item {
  value: unknown;
  messageId: string;
}

/**
 * Result of an item, or of one of the entries that it was mapped to: `part` counts these, and is
 * null if the item was refused before it was mapped.
 */
export type Prepared =
  | { kind: "entry"; item: Item; part: number; entry: Record<string, unknown>; text: string }
  | {
    kind: "ignored";
    item: Item;
    reason: string;
    /** True if it may name a customer who was erased. */
    isErased?: boolean;
  }
  | {
    kind: "refused";
    item: Item;
    part: number | null;
    code: ErrorCode;
    error: string;
    field: string;
    name: string | undefined;
  };

interface ItemDraft {
  item: Item;
  part: number;
  draft: Draft;
}

/** A customer with an e-mail address, with one of their ids. */
export interface CustomerWithEmail {
  /** The address as requested. */
  email: string;
  externalId: string | null;
  anonId: string | null;
}

export type FindByEmail = (emails: readonly string[]) => Promise<readonly CustomerWithEmail[]>;

/** A message that a provider reports on, with the address of its recipient. */
export interface ReportedSend extends SendClaim {
  email: string;
}

/** The send that a report is about. */
export interface MatchedSend {
  sendId: string;
  /** An id of its customer. */
  externalId: string | null;
  anonId: string | null;
  /** Properties of events about the send. */
  properties: Record<string, unknown>;
}

/** Finds the sends that reports are about, in their order; undefined where there is none. */
export type FindSends = (
  reports: readonly ReportedSend[],
) => Promise<readonly (MatchedSend | undefined)[]>;

/** Inputs for preparing the entries of a message. */
export interface Preparation {
  findByEmail: FindByEmail;
  /** @default finds none */
  findSends?: FindSends;
  budget: CharacterBudget;
  /** Most items, and most entries that they may become. @default maxIngestEntries */
  maxEntries?: number;
}

/**
 * Maps a message, finds customers by e-mail address, and validates the entries.
 *
 * @throws {ApiError} `payload_too_large` over the limits of one message
 */
export async function prepareMessage(
  message: Message,
  preparation: Preparation,
): Promise<Prepared[]> {
  const { maxEntries = maxIngestEntries } = preparation;
  const values = readItems(message.rules, message.payload);
  if (values === undefined) {
    const item = { value: message.payload, messageId: message.messageId };
    return [refuse(item, { field: "items", message: "must point to an array in the payload" })];
  }
  // Checked before mapping: a body may contain half a million items.
  requireFew(values.length, { maxEntries, what: "contain items" });
  const items = values.map((value, i) => ({
    value,
    messageId: values.length === 1 ? message.messageId : `${message.messageId}:${i}`,
  }));
  return await prepareItems(message, { ...preparation, items });
}

/** Prepares items that were already extracted from their payload, like `prepareMessage`. */
export async function prepareItems(
  message: Message,
  preparation: Preparation & { items: readonly Item[] },
): Promise<Prepared[]> {
  const { findByEmail, findSends, budget, maxEntries = maxIngestEntries } = preparation;
  const mapped = await matchSends(await mapItems(message, preparation), findSends);
  const customers = await findCustomers(mapped.filter((each) => "draft" in each), findByEmail);
  const prepared: Prepared[] = [];
  for (const each of mapped) {
    const drafts = "draft" in each ? addressDraft(each.draft, customers) : [];
    if (!("draft" in each)) prepared.push(each);
    for (const draft of drafts) {
      await budget.breathe();
      prepared.push(validateDraft(message, { ...each as ItemDraft, draft }, budget));
    }
    requireFew(prepared.length, { maxEntries, what: "produce entries" });
  }
  await spendOnRefused(prepared, budget);
  return prepared;
}

async function mapItems(
  message: Message,
  { items, budget, maxEntries = maxIngestEntries }: Preparation & { items: readonly Item[] },
): Promise<(Prepared | ItemDraft)[]> {
  const mapped: (Prepared | ItemDraft)[] = [];
  const cost = costOfItem(message.rules);
  for (const item of items) {
    await budget.breathe();
    budget.spend(cost);
    for (const each of readItem(message, item)) mapped.push(each);
    // Work on an abandoned entry counts too.
    if (isTooLarge(mapped.at(-1))) budget.spend(maxEntryBytes);
    requireFew(mapped.length, { maxEntries, what: "produce entries" });
  }
  return mapped;
}

/**
 * Links reports about messages to their sends, and ignores reports that need a send and have none.
 */
async function matchSends(
  mapped: readonly (Prepared | ItemDraft)[],
  findSends: FindSends | undefined,
): Promise<(Prepared | ItemDraft)[]> {
  const reports = mapped.flatMap((each) =>
    "draft" in each && each.draft.send !== undefined
      ? [{ each, report: { ...each.draft.send, email: each.draft.email ?? "" } }]
      : []
  );
  if (reports.length === 0) return [...mapped];
  const found = await findSends?.(reports.map(({ report }) => report)) ?? [];
  const sends = new Map(reports.map(({ each }, i) => [each as Prepared | ItemDraft, found[i]]));
  return mapped.map((each) => {
    if (!("draft" in each) || each.draft.send === undefined) return each;
    const send = sends.get(each);
    if (send !== undefined) return { ...each, draft: assignSend(each.draft, send) };
    if (!each.draft.send.isRequired) return { ...each, draft: detachSend(each.draft) };
    const reason = "Message is not one of our sends";
    return { kind: "ignored", item: each.item, reason, isErased: isOwn(each.draft.send) };
  });
}

/**
 * Keeps a report whose send is not there. If the send was ours, its customer may have been erased:
 * the report must not bring back who it names.
 */
function detachSend(draft: Draft): Draft {
  const detached = { ...draft, effect: { send_id: null } };
  if (!isOwn(draft.send)) return detached;
  const { external_id: _, anon_id: __, ...entry } = draft.entry;
  return { ...detached, entry, effect: { send_id: null, is_known_only: true } };
}

/** Message-IDs of other programs may contain a UUID too, but seldom of this version. */
function isOwn(send: SendClaim | undefined): boolean {
  return send?.sendId?.charAt(14) === "7";
}

/** Assigns an event to the send's customer, and adds the properties of the send. */
function assignSend({ key, entry }: Draft, send: MatchedSend): Draft {
  const { external_id: _, anon_id: __, ...rest } = entry;
  const { sendId, externalId, anonId, properties } = send;
  const id = externalId === null ? { anon_id: anonId } : { external_id: externalId };
  const all = { ...rest.properties as Record<string, unknown>, ...properties };
  return { key, effect: { send_id: sendId }, entry: { ...rest, ...id, properties: all } };
}

function isTooLarge(last: Prepared | ItemDraft | undefined): boolean {
  return last !== undefined && "code" in last && last.code === "payload_too_large";
}

type Limit = { maxEntries: number; what: "contain items" | "produce entries" };

function requireFew(count: number, { maxEntries, what }: Limit): void {
  if (count <= maxEntries) return;
  const [verb, noun] = what.split(" ");
  const message = `Payload must not ${verb} over ${maxEntries} ${noun}`;
  throw new ApiError("payload_too_large", message);
}

/** Counts the work of storing each rejected entry with its item. */
async function spendOnRefused(
  prepared: readonly Prepared[],
  budget: CharacterBudget,
): Promise<void> {
  const sizes: Sizes = new Map();
  for (const each of prepared) {
    if (each.kind !== "refused") continue;
    budget.spend(measureJson(each.item.value, maxKeptCharacters, sizes));
    await budget.breathe();
  }
}

function readItem({ headers, rules }: Message, item: Item): (Prepared | ItemDraft)[] {
  const mapped = mapItem(rules, { payload: item.value, headers, messageId: item.messageId });
  if (mapped.kind === "ignored") return [{ kind: "ignored", item, reason: mapped.reason }];
  if (mapped.kind === "refused") return [refuse(item, mapped)];
  return mapped.drafts.map((draft, part) => ({ item, part, draft }));
}

/** Finds the customers of all drafts with an address and no id, by lower-case address. */
async function findCustomers(
  drafts: readonly ItemDraft[],
  findByEmail: FindByEmail,
): Promise<Map<string, readonly CustomerWithEmail[]>> {
  const emails = new Set(
    drafts.map(({ draft }) => draft).filter((draft) => !hasId(draft))
      .flatMap(({ email = "" }) => isAddress(email) ? [email.toLowerCase()] : []),
  );
  const found = emails.size === 0 ? [] : await findByEmail([...emails]);
  return Map.groupBy(found, ({ email }) => email);
}

/**
 * Creates an entry per customer with the address; without one, the address becomes their id. Keys
 * use the position, oldest customer first, so that a repeated message finds the same ones after an
 * identify or a merge. Keys based on ids would count a customer twice after a new id.
 */
function addressDraft(
  draft: Draft,
  customers: ReadonlyMap<string, readonly CustomerWithEmail[]>,
): Draft[] {
  if (hasId(draft) || draft.email === undefined) return [draft];
  const email = draft.email.toLowerCase();
  const found = customers.get(email) ?? [];
  if (found.length === 0) return [{ ...draft, entry: { ...draft.entry, anon_id: email } }];
  return found.map(({ externalId, anonId }, i) => {
    const id = externalId === null ? { anon_id: anonId } : { external_id: externalId };
    const key = i === 0 ? draft.key : `${draft.key}:customer:${i + 1}`;
    return { ...draft, key, entry: { ...draft.entry, ...id } };
  });
}

/** Checks by its length that a text may be an address; others are not looked up. */
function isAddress(text: string): boolean {
  return text.length > 0 && text.length <= 320;
}

function hasId({ entry }: Draft): boolean {
  return entry.external_id !== undefined || entry.anon_id !== undefined;
}

function validateDraft(
  message: Message,
  { item, part, draft }: ItemDraft,
  budget: CharacterBudget,
): Prepared {
  const { sourceId, workspaceId, receivedAt } = message;
  const entry = {
    ...draft.entry,
    context: { source_id: sourceId },
    idempotency_key: entryKey(sourceId, draft.key),
  };
  const size = measureJson(entry, maxEntryBytes);
  budget.spend(size);
  const read = size > maxEntryBytes
    ? readTooLarge()
    : readEntry(entry, { workspaceId, receivedAt, faults: inspectParsed(entry) });
  if (read.ok) {
    return { kind: "entry", item, part, entry, text: addEffect(read.text, draft.effect) };
  }
  const { code, details } = read;
  const name = typeof draft.entry.name === "string" ? draft.entry.name.slice(0, 200) : undefined;
  const field = details[0]?.field ?? "";
  return { kind: "refused", item, part, code, error: describeEveryDetail(details), field, name };
}

function readTooLarge(): ReadEntry {
  const { code, ...detail } = entryTooLarge();
  return { ok: false, code, details: [detail] };
}

function refuse(
  item: Item,
  { field, message, code = "invalid_input" }: {
    field: string;
    message: string;
    code?: ErrorCode;
  },
): Prepared {
  const error = describeDetails([{ field, message }]);
  return {
    kind: "refused",
    item,
    part: null,
    code,
    error,
    field,
    name: undefined,
  };
}
