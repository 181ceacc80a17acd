import { isRecord, type ParsedJson } from "../../_shared/json/json.ts";
import { ApiError, invalidInput } from "../../_shared/errors/errors.ts";
import { segmentFormat as format } from "../../_shared/segment/segment_format.ts";
import type { SegmentType } from "../../_shared/segment/translate.ts";
import { type FindOffset, readBulk, type SentEntries } from "../bulk.ts";
import { readRequest } from "../read_request.ts";
import type { TrackContext, TrackService } from "../service.ts";
import { readSingle, storeEntry } from "../single.ts";
import { storeEntries } from "../store_entries.ts";
import { readCallerAddress } from "./caller_address.ts";
import { countMerged, type Envelope, mergeEnvelope, readEnvelope } from "./envelope.ts";
import { nameSender } from "./sender.ts";
import { findSentAt } from "./sent_at.ts";

// Limit of a body after decompression, which applies to the merged context too.
const maxMergedBytes = 5 * 1024 * 1024;

/** Handles `POST /track/v1/batch`, `/import` and `/b`: messages of any kind, with a result for each. */
export async function storeSegmentBatch(
  c: TrackContext,
  service: TrackService,
): Promise<Response> {
  const batch = await readRequest(c, service, {
    format,
    async read(body) {
      const { paid, slices } = body;
      return await readBulk(c, service, { ...openBatch(c, service, body), paid, slices });
    },
  });
  return await storeEntries(c, service, batch);
}

/**
 * Creates the handler of `POST /track/v1/track` and similar: one message of the type in the path.
 */
export function storeSegmentMessage(type: SegmentType) {
  return async (c: TrackContext, service: TrackService): Promise<Response> => {
    const single = await readRequest(c, service, {
      format,
      read({ value, faults, slices }) {
        const message = fillMessage(c, value, {});
        const entry = isRecord(message) ? { ...message, type } : message;
        const findOffset = createOffsetFinder(c, service, {});
        return readSingle(c, service, { format, entry, faults, findOffset, slices });
      },
    });
    return await storeEntry(c, service, single);
  };
}

function openBatch(c: TrackContext, service: TrackService, body: ParsedJson): SentEntries {
  const sent = requireBatch(body.value);
  const envelope = readEnvelope(body);
  if (countMerged(envelope, sent.length) > maxMergedBytes) {
    const message = `Body must not be over ${maxMergedBytes} bytes with its "context" and ` +
      `"integrations" in each message`;
    throw new ApiError("payload_too_large", message);
  }
  const { faults } = body;
  const faultsByIndex = Map.groupBy(faults, ({ path }) => path[0] === format.envelope && path[1]);
  return {
    format,
    sent,
    faultsOf: (index) => [...faultsByIndex.get(index) ?? [], ...envelope.faults],
    complete: (message) => fillMessage(c, message, envelope),
    findOffset: createOffsetFinder(c, service, envelope),
  };
}

function requireBatch(value: unknown): unknown[] {
  const { envelope: field, maxEntries } = format;
  const batch = isRecord(value) ? value[field] : undefined;
  if (!Array.isArray(batch) || batch.length === 0) {
    throw invalidInput([{ field, message: "must be an array of messages" }]);
  }
  if (batch.length > maxEntries) {
    throw invalidInput([{ field, message: `must contain at most ${maxEntries} messages` }]);
  }
  return batch;
}

/** Returns the message with its envelope and, for browsers, the caller's address. */
function fillMessage(c: TrackContext, message: unknown, envelope: Partial<Envelope>): unknown {
  const isFilled = isFromBrowser(c) && c.get("apiKey").fillsBrowserIp;
  const ip = isFilled ? readCallerAddress(c.req.raw.headers) : undefined;
  const context = ip === undefined ? envelope.context : { ip, ...envelope.context };
  return mergeEnvelope(message, { ...envelope, context });
}

/** Browsers send `Origin` with every POST, and servers do not. */
function isFromBrowser(c: TrackContext): boolean {
  return c.req.header("origin") !== undefined;
}

/**
 * Creates the function that finds the error of a message's clock, for the messages of one request:
 * all were received at once and from one sender.
 */
function createOffsetFinder(
  c: TrackContext,
  { clocks }: TrackService,
  envelope: Partial<Envelope>,
): FindOffset {
  const { workspaceId } = c.get("apiKey");
  const offsets = new Map<number, number>();
  return (message, receivedAt) => {
    const sentAt = findSentAt(message, { envelopeSentAt: envelope.sentAt, receivedAt });
    if (sentAt === undefined) return 0;
    let offset = offsets.get(sentAt);
    if (offset === undefined) {
      const sender = nameSender(message, {
        workspaceId,
        address: readCallerAddress(c.req.raw.headers),
        isBrowser: isFromBrowser(c),
      });
      offset = clocks.findOffset({ sender, sentAt, receivedAt });
      offsets.set(sentAt, offset);
    }
    return offset;
  };
}
