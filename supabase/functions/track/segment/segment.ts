import { readCallerAddress } from "./caller_address.ts";
import type { ReadEntry } from "../../_shared/entries/read_entry.ts";
import { ApiError, invalidInput } from "../../_shared/platform/errors.ts";
import { formatPath, isRecord, type JsonFault, type JsonPath } from "../../_shared/json/json.ts";
import { showRateLimit, takeForRest } from "../../_shared/rate_limit/rate_limit.ts";
import { mapSteps, runInSlices } from "../../_shared/platform/slices.ts";
import { countMerged, type Envelope, mergeEnvelope, readEnvelope } from "./envelope.ts";
import { readTranslated } from "../../_shared/segment/read_message.ts";
import { findSentAt } from "./sent_at.ts";
import { nameSender } from "./sender.ts";
import { type SegmentType, translateSegment } from "../../_shared/segment/translate.ts";
import { maxBatch, readSegmentRequest, type SegmentBody } from "./segment_body.ts";
import type { TrackContext, TrackService } from "../service.ts";
import { storeEntry } from "../single.ts";
import { type EntryBatch, storeEntries } from "../store_entries.ts";

// As much as a body may hold after decompression, for that is what an envelope's context is.
const maxMergedBytes = 5 * 1024 * 1024;

/** `POST /track/v1/batch`, `/import` and `/b`: messages of any kind, each answered by itself. */
export async function storeSegmentBatch(
  c: TrackContext,
  service: TrackService,
): Promise<Response> {
  const batch = await readSegmentRequest(c, service, (body) => readBatch(c, service, body));
  return await storeEntries(c, service, batch);
}

async function readBatch(
  c: TrackContext,
  service: TrackService,
  { slices, ...body }: SegmentBody,
): Promise<EntryBatch> {
  const batch = requireBatch(body.value);
  const envelope = readEnvelope(body);
  if (countMerged(envelope, batch.length) > maxMergedBytes) {
    const message = `Body must not be over ${maxMergedBytes} bytes with its "context" and ` +
      `"integrations" in each message`;
    throw new ApiError("payload_too_large", message);
  }
  const { workspaceId } = c.get("apiKey");
  const rest = { workspaceId, entries: batch.length, paid: body.paid };
  showRateLimit(c, await takeForRest(service.limiter, rest));
  const faultsOf = Map.groupBy(body.faults, ({ path }) => path[0] === "batch" && path[1]);
  const entries = batch.map((message) => fillMessage(c, message, envelope));
  const reader = createReader(c, service, envelope);
  const steps = mapSteps(entries, (message, i) => {
    const faults = [...faultsOf.get(i) ?? [], ...envelope.faults];
    return reader({ message, path: ["batch", i], faults });
  });
  const read = await runInSlices(steps, slices);
  return { door: "segment", envelope: "batch", entries, read, slices };
}

/** `POST /track/v1/track` and the like: one message, of the type that the path names. */
export function storeSegmentMessage(type: SegmentType) {
  return async (c: TrackContext, service: TrackService): Promise<Response> => {
    const single = await readSegmentRequest(c, service, ({ value, faults, slices }) => {
      const message = fillMessage(c, value, {});
      const read = createReader(c, service, {})({ type, message, path: [], faults });
      const entry = isRecord(message) ? { ...message, type } : message;
      return { door: "segment", entry, read, slices } as const;
    });
    return await storeEntry(c, service, single);
  };
}

function requireBatch(value: unknown): unknown[] {
  const batch = isRecord(value) ? value.batch : undefined;
  if (!Array.isArray(batch) || batch.length === 0) {
    throw invalidInput([{ field: "batch", message: "must be an array of messages" }]);
  }
  if (batch.length > maxBatch) {
    throw invalidInput([{ field: "batch", message: `must hold at most ${maxBatch} messages` }]);
  }
  return batch;
}

/** The message with its envelope and, from a browser, the address it came from. */
function fillMessage(c: TrackContext, message: unknown, envelope: Partial<Envelope>): unknown {
  const isFilled = isFromBrowser(c) && c.get("apiKey").fillsBrowserIp;
  const ip = isFilled ? readCallerAddress(c.req.raw.headers) : undefined;
  const context = ip === undefined ? envelope.context : { ip, ...envelope.context };
  return mergeEnvelope(message, { ...envelope, context });
}

/** Browsers send `Origin` with every POST, and what runs on a server does not. */
function isFromBrowser(c: TrackContext): boolean {
  return c.req.header("origin") !== undefined;
}

interface ReceivedMessage {
  type?: SegmentType;
  message: unknown;
  path: JsonPath;
  faults: readonly JsonFault[];
}

/** Reads the messages of one request, all of which were received at once and from one sender. */
function createReader(c: TrackContext, { now, clocks }: TrackService, envelope: Partial<Envelope>) {
  const receivedAt = now().getTime();
  const { workspaceId } = c.get("apiKey");
  const offsets = new Map<number, number>();

  function findOffset(message: unknown): number {
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
  }

  return ({ type, message, path, faults }: ReceivedMessage): ReadEntry => {
    const translated = translateSegment(message, { type, offsetMs: findOffset(message) });
    if (!translated.ok) {
      const details = translated.details.map(({ field, ...rest }) => {
        return { field: formatPath(field === "" ? path : [...path, field]), ...rest };
      });
      return { ok: false, code: "invalid_input", details };
    }
    const { entry, profileDefaults } = translated;
    return readTranslated(entry, { workspaceId, receivedAt, path, faults, profileDefaults });
  };
}
