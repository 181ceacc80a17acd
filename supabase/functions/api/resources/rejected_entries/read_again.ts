import { findCallersCustomers, findSource } from "../sources/source_queries.ts";
import type { RejectedEntryDetail } from "./rejected_entry_queries.ts";
import { maxBulkEntries } from "../../../_shared/entries/schemas.ts";
import { type ReadEntry, readEntry } from "../../../_shared/entries/read_entry.ts";
import {
  ApiError,
  describeDetails,
  type ErrorDetail,
  invalidInput,
} from "../../../_shared/platform/errors.ts";
import { formatPath, isRecord, parseJson } from "../../../_shared/json/json.ts";
import { readItems } from "../../../_shared/sources/mapping.ts";
import { prepareItems, prepareMessage } from "../../../_shared/sources/prepare.ts";
import { createWork } from "../../../_shared/sources/work.ts";
import { readTranslated } from "../../../_shared/segment/read_message.ts";
import { translateSegment } from "../../../_shared/segment/translate.ts";
import type { Call } from "../../kernel/route.ts";

export interface SecondTry {
  workspaceId: string;
  row: RejectedEntryDetail;
  /** The entry as it was sent, or as it was mended: JSON. */
  text: string;
}

/** Where the entry is for who sends it again: in the body, and in what the api shows of it. */
const path = ["entry"];

/**
 * Reads a refused entry through the door it came to, as of the time it was refused; JSON texts for
 * ingest. Throws what is still wrong with it.
 */
export async function readAgain(tx: Call["tx"], attempt: SecondTry): Promise<string[]> {
  const { row, text, workspaceId } = attempt;
  const { value, faults } = parseJson(`{"entry":${text}}`, { envelope: "entry" });
  const { entry } = value as { entry: unknown };
  if (row.door === "inbound") return await mapAgain(tx, { workspaceId, row, entry });
  const receivedAt = Date.parse(row.rejected_at);
  const origin = { workspaceId, receivedAt, path, faults };
  if (row.door === "track") return [requireRead(readEntry(dateBack(entry, row), origin))];
  const translated = translateSegment(entry, { offsetMs: 0 });
  if (!translated.ok) throw invalidInput(translated.details.map(placeInEntry));
  return [requireRead(readTranslated(dateBack(translated.entry, row), origin))];
}

function placeInEntry({ field, message }: ErrorDetail): ErrorDetail {
  return { field: formatPath(field === "" ? path : [...path, field]), message };
}

/** What has no time of its own happened when it was refused, not when it is sent again. */
function dateBack(value: unknown, { rejected_at }: RejectedEntryDetail): unknown {
  const isUndated = isRecord(value) && !Object.hasOwn(value, "occurred_at");
  return isUndated ? { ...value, occurred_at: rejected_at } : value;
}

function requireRead(read: ReadEntry): string {
  if (read.ok) return read.text;
  const { code, details } = read;
  throw new ApiError(code, describeDetails(details), { details });
}

interface MappedTry {
  workspaceId: string;
  row: RejectedEntryDetail;
  entry: unknown;
}

/** An item goes through its source's mapping as it is now; of its entries, those refused before. */
async function mapAgain(
  tx: Call["tx"],
  { workspaceId, row, entry }: MappedTry,
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
    payload: entry,
    headers: row.headers,
    messageId,
    receivedAt: Date.parse(row.rejected_at),
  };
  const preparation = {
    work: createWork(),
    findByEmail: (emails: readonly string[]) => findCallersCustomers(tx, { workspaceId, emails }),
    maxEntries: maxBulkEntries,
  };
  // A payload that no mapping could take apart may be one that the mapping takes apart by now.
  const isWhole = row.part === null && readItems(source, entry) !== undefined;
  const prepared = isWhole
    ? await prepareMessage(message, preparation)
    : await prepareItems(message, { ...preparation, items: [{ value: entry, messageId }] });
  const texts = prepared.flatMap((each) => {
    if (each.kind === "ignored") {
      throw new ApiError("conflict", `Cannot send entry again: ${each.reason}`);
    }
    if (row.part !== null && each.part !== null && each.part !== row.part) return [];
    if (each.kind === "refused") {
      const message = each.error.replace(/^(?:Field "[^"]*"|Body) /, "");
      throw new ApiError(each.code, each.error, { details: [{ field: each.field, message }] });
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
