import { findCallersCustomers, findSource } from "../../../_shared/db/sources.ts";
import type { RejectedEntryDetail } from "../../../_shared/db/rejected_entries.ts";
import { type ReadEntry, readEntry } from "../../../_shared/entries/read_entry.ts";
import { ApiError, invalidInput } from "../../../_shared/errors.ts";
import { isRecord, type ParsedJson } from "../../../_shared/json.ts";
import { readItems } from "../../../_shared/inbound/mapping.ts";
import { prepareItems, prepareMessage } from "../../../_shared/inbound/prepare.ts";
import { readTranslated } from "../../../_shared/segment/read_message.ts";
import { translateSegment } from "../../../_shared/segment/translate.ts";
import type { Call } from "../../route.ts";

export interface SecondTry {
  workspaceId: string;
  row: RejectedEntryDetail;
  /** The entry as it was sent, or as it was mended. */
  entry: ParsedJson;
}

/**
 * Reads a refused entry through the door it came to, as of the time it was refused; JSON texts for
 * ingest. Throws what is still wrong with it.
 */
export async function readAgain(tx: Call["tx"], attempt: SecondTry): Promise<string[]> {
  if (attempt.row.door === "inbound") return await mapAgain(tx, attempt);
  const { row, entry, workspaceId } = attempt;
  const receivedAt = Date.parse(row.rejected_at);
  const origin = { workspaceId, receivedAt, faults: entry.faults };
  if (row.door === "track") return [requireRead(readEntry(dateBack(entry.value, row), origin))];
  const translated = translateSegment(entry.value, { sentAt: undefined, receivedAt });
  if (!translated.ok) throw invalidInput(translated.details);
  return [requireRead(readTranslated(dateBack(translated.entry, row), origin))];
}

/** What has no time of its own happened when it was refused, not when it is sent again. */
function dateBack(value: unknown, { rejected_at }: RejectedEntryDetail): unknown {
  const isUndated = isRecord(value) && !Object.hasOwn(value, "occurred_at");
  return isUndated ? { ...value, occurred_at: rejected_at } : value;
}

function requireRead(read: ReadEntry): string {
  if (read.ok) return read.text;
  throw invalidInput(read.details);
}

/** An item goes through its source's mapping as it is now; of its entries, those refused before. */
async function mapAgain(
  tx: Call["tx"],
  { workspaceId, row, entry }: SecondTry,
): Promise<string[]> {
  const sourceId = row.source_id ?? "";
  const source = await findSource(tx, { workspaceId, sourceId });
  if (source === undefined) {
    throw new ApiError("conflict", "Cannot send entry again: its source was deleted");
  }
  const messageId = row.message_id ?? row.id;
  const message = {
    sourceId,
    workspaceId,
    rules: source,
    payload: entry.value,
    headers: row.headers,
    messageId,
    receivedAt: Date.parse(row.rejected_at),
  };
  const findByEmail = (emails: readonly string[]) =>
    findCallersCustomers(tx, { workspaceId, emails });
  // A payload that no mapping could take apart may be one that the mapping takes apart by now.
  const isWhole = row.part === null && readItems(source, entry.value) !== undefined;
  const prepared = isWhole
    ? await prepareMessage(message, findByEmail)
    : await prepareItems(message, { items: [{ value: entry.value, messageId }], findByEmail });
  const texts = prepared.flatMap((each) => {
    if (each.kind === "ignored") {
      throw new ApiError("conflict", `Cannot send entry again: ${each.reason}`);
    }
    if (row.part !== null && each.part !== null && each.part !== row.part) return [];
    if (each.kind === "refused") {
      const message = each.error.replace(/^Field "[^"]*" /, "");
      throw invalidInput([{ field: each.field, message }]);
    }
    const dated: Record<string, unknown> = JSON.parse(each.text);
    return [JSON.stringify({ occurred_at: row.rejected_at, ...dated })];
  });
  if (texts.length > 0) return texts;
  throw new ApiError(
    "conflict",
    "Cannot send entry again: its source makes nothing of it any more",
  );
}
