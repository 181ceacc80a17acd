import { findCallersCustomers, findSource } from "../sources/source_queries.ts";
import type { RejectedEntryDetail } from "./rejected_entry_queries.ts";
import { maxBulkEntries } from "../../../_shared/entries/schemas.ts";
import type { ReadEntry } from "../../../_shared/entries/read_entry.ts";
import { ownFormat, readSent, type WireFormat } from "../../../_shared/entries/wire_format.ts";
import { ApiError, describeDetails } from "../../../_shared/errors/errors.ts";
import { parseJson } from "../../../_shared/json/json.ts";
import { readItems } from "../../../_shared/sources/mapping.ts";
import { prepareItems, prepareMessage } from "../../../_shared/sources/prepare.ts";
import { createCharacterBudget } from "../../../_shared/sources/character_budget.ts";
import { segmentFormat } from "../../../_shared/segment/segment_format.ts";
import type { Call } from "../../kernel/route.ts";

export interface SecondTry {
  workspaceId: string;
  row: RejectedEntryDetail;
  /** The entry as sent or as corrected, in JSON. */
  text: string;
}

/** A rejected entry as it was read again. */
export interface ReadAgain {
  /** JSON for ingest. */
  texts: string[];
  /** Format whose names errors use. */
  format: WireFormat;
}

/** Location of the entry in the request body, and in the responses that show it. */
const path = ["entry"];

// The mapping of an inbound source writes entries in the service's own format.
const formats = { track: ownFormat, segment: segmentFormat, inbound: ownFormat };

/**
 * Reads a rejected entry in the format of its original interface, dated to its rejection.
 *
 * @throws {ApiError} for its remaining errors
 */
export async function readAgain(tx: Call["tx"], attempt: SecondTry): Promise<ReadAgain> {
  const { row, text, workspaceId } = attempt;
  const { value, faults } = parseJson(`{"entry":${text}}`, { envelope: "entry" });
  const { entry } = value as { entry: unknown };
  const format = formats[row.origin];
  if (row.origin === "inbound") {
    return { texts: await mapAgain(tx, { workspaceId, row, entry }), format };
  }
  const read = readSent(format, entry, {
    workspaceId,
    receivedAt: Date.parse(row.rejected_at),
    path,
    faults,
    // An entry without a time of its own happened when it was rejected, not when it is resent.
    occurredAt: row.rejected_at,
  });
  return { texts: [requireRead(read)], format };
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

/**
 * Maps an item with its source's current mapping; returns the entries that were rejected before.
 */
async function mapAgain(
  tx: Call["tx"],
  { workspaceId, row, entry }: MappedTry,
): Promise<string[]> {
  const sourceId = row.source_id ?? "";
  const source = await findSource(tx, { workspaceId, sourceId });
  if (source === undefined) {
    throw new ApiError("conflict", "Cannot resend entry: its source was deleted");
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
    budget: createCharacterBudget(),
    findByEmail: (emails: readonly string[]) => findCallersCustomers(tx, { workspaceId, emails }),
    maxEntries: maxBulkEntries,
  };
  // The current mapping may split a payload that the mapping at the time could not.
  const isWhole = row.part === null && readItems(source, entry) !== undefined;
  const prepared = isWhole
    ? await prepareMessage(message, preparation)
    : await prepareItems(message, { ...preparation, items: [{ value: entry, messageId }] });
  const texts = prepared.flatMap((each) => {
    if (each.kind === "ignored") {
      throw new ApiError("conflict", `Cannot resend entry: ${each.reason}`);
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
    "Cannot resend entry: its source's current mapping produces no entry from it",
  );
}
