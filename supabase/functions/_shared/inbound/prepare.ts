import type { CustomerWithEmail } from "../db/inbound.ts";
import { readEntry } from "../entries/read_entry.ts";
import { describeDetails, type ErrorCode } from "../errors.ts";
import { parseJson } from "../json.ts";
import type { Draft } from "./drafts.ts";
import { mapItem, type MappingRules, readItems } from "./mapping.ts";
import { entryKey } from "./message_id.ts";

/** A verified message and the source it came to. */
export interface Message {
  sourceId: string;
  workspaceId: string;
  rules: MappingRules;
  payload: unknown;
  headers: Readonly<Record<string, string>>;
  messageId: string;
  /** Moment of receipt in ms. */
  receivedAt: number;
}

/** One item of a payload, with an id of its own where there are several. */
export interface Item {
  value: unknown;
  messageId: string;
}

/**
 * What became of an item, or of one of the entries that it was mapped to: `part` counts them, and
 * is null where the item was refused before there were any.
 */
export type Prepared =
  | { kind: "entry"; item: Item; part: number; entry: Record<string, unknown>; text: string }
  | { kind: "ignored"; item: Item; reason: string }
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

export type FindByEmail = (emails: readonly string[]) => Promise<readonly CustomerWithEmail[]>;

/** Maps a message, finds the customers it names by address, and validates what it became. */
export async function prepareMessage(
  message: Message,
  findByEmail: FindByEmail,
): Promise<Prepared[]> {
  const values = readItems(message.rules, message.payload);
  if (values === undefined) {
    const item = { value: message.payload, messageId: message.messageId };
    return [refuse(item, { field: "items", message: "must point at an array in the payload" })];
  }
  const items = values.map((value, i) => ({
    value,
    messageId: values.length === 1 ? message.messageId : `${message.messageId}:${i}`,
  }));
  return await prepareItems(message, { items, findByEmail });
}

/** Prepares items that were taken out of their payload before. */
export async function prepareItems(
  message: Message,
  { items, findByEmail }: { items: readonly Item[]; findByEmail: FindByEmail },
): Promise<Prepared[]> {
  const mapped = items.flatMap((item) => readItem(message, item));
  const drafts = mapped.filter((each) => "draft" in each);
  const customers = await findCustomers(drafts, findByEmail);
  return mapped.flatMap((each) =>
    "draft" in each
      ? addressDraft(each.draft, customers).map((draft) =>
        validateDraft(message, { ...each, draft })
      )
      : [each]
  );
}

function readItem({ headers, rules }: Message, item: Item): (Prepared | ItemDraft)[] {
  const mapped = mapItem(rules, { payload: item.value, headers, messageId: item.messageId });
  if (mapped.kind === "ignored") return [{ kind: "ignored", item, reason: mapped.reason }];
  if (mapped.kind === "refused") return [refuse(item, mapped)];
  return mapped.drafts.map((draft, part) => ({ item, part, draft }));
}

/** The customers of all drafts that carry an address and no id, by lower-case address. */
async function findCustomers(
  drafts: readonly ItemDraft[],
  findByEmail: FindByEmail,
): Promise<Map<string, readonly CustomerWithEmail[]>> {
  const emails = new Set(
    drafts.map(({ draft }) => draft).filter((draft) => !hasId(draft))
      .flatMap(({ email }) => email === undefined ? [] : [email.toLowerCase()]),
  );
  const found = emails.size === 0 ? [] : await findByEmail([...emails]);
  return Map.groupBy(found, ({ email }) => email);
}

/**
 * An entry for each customer with the address; where there is none, the address is their id. Keys
 * go by place, oldest customer first: a message that comes again after an identify or a merge finds
 * the same ones, while those made of ids would count a customer again who was given another id.
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

function hasId({ entry }: Draft): boolean {
  return entry.external_id !== undefined || entry.anon_id !== undefined;
}

function validateDraft(message: Message, { item, part, draft }: ItemDraft): Prepared {
  const { sourceId, workspaceId, receivedAt } = message;
  const entry = {
    ...draft.entry,
    context: { source_id: sourceId },
    idempotency_key: entryKey(sourceId, draft.key),
  };
  // Written and parsed again, so that what a payload holds passes the same inspection as a body.
  const { value, faults } = parseJson(JSON.stringify(entry));
  const read = readEntry(value, { workspaceId, receivedAt, faults });
  if (read.ok) return { kind: "entry", item, part, entry, text: read.text };
  const { code, details } = read;
  const name = typeof draft.entry.name === "string" ? draft.entry.name : undefined;
  const field = details[0]?.field ?? "";
  return { kind: "refused", item, part, code, error: describeDetails(details), field, name };
}

function refuse(item: Item, { field, message }: { field: string; message: string }): Prepared {
  const error = describeDetails([{ field, message }]);
  return {
    kind: "refused",
    item,
    part: null,
    code: "invalid_input",
    error,
    field,
    name: undefined,
  };
}
