import { readText } from "../_shared/body.ts";
import type { ReadEntry } from "../_shared/entries/read_entry.ts";
import { invalidInput } from "../_shared/errors.ts";
import {
  isRecord,
  type JsonFault,
  type JsonPath,
  type ParsedJson,
  parseJson,
  parseUninspected,
} from "../_shared/json.ts";
import { readBasic, readBearer, unauthorized } from "../_shared/auth.ts";
import { formatPath } from "../_shared/json.ts";
import { showRateLimit, takeForRest } from "../_shared/rate_limit.ts";
import { readTranslated } from "../_shared/segment/read_message.ts";
import { type SegmentType, translateSegment } from "../_shared/segment/translate.ts";
import type { TrackContext, TrackService } from "./service.ts";
import { storeEntry } from "./single.ts";
import { storeEntries } from "./store_entries.ts";

// The browser library sends text/plain, which needs no preflight where there is no other header.
const mediaTypes = ["application/json", "text/plain"];
// What Segment itself takes: its libraries drop a batch that is refused as a whole.
const maxBatch = 2500;

// The key may be in the body alone, which then is read before the handler is called.
const texts = new WeakMap<Request, Promise<string>>();

function readBodyText(request: Request): Promise<string> {
  let text = texts.get(request);
  if (text === undefined) {
    text = readText(request, { mediaTypes });
    texts.set(request, text);
  }
  return text;
}

async function readBody(request: Request): Promise<ParsedJson> {
  return parseJson(await readBodyText(request), { envelope: "batch", maxMembers: maxBatch });
}

/** The key of a request: the user name of Basic, a bearer token, or `writeKey` in the body. */
export async function readSegmentKey(c: TrackContext): Promise<string> {
  const header = c.req.header("authorization");
  if (header !== undefined) {
    return /^basic /i.test(header) ? readBasic(header).username : readBearer(header);
  }
  // Browsers compress nothing, and inflating costs us far more than it costs whoever has no key.
  if (c.req.header("content-encoding") !== undefined) {
    throw unauthorized("Key is missing: a body with Content-Encoding needs it in Authorization");
  }
  // Inspected only once the key is known to be one.
  const value = parseUninspected(await readBodyText(c.req.raw));
  if (isRecord(value) && typeof value.writeKey === "string") return value.writeKey;
  throw unauthorized('Key is missing: send it as the user name of Basic, or as "writeKey"');
}

/** `POST /track/v1/batch` and `/b`: messages of any kind, each answered by itself. */
export async function storeSegmentBatch(
  c: TrackContext,
  service: TrackService,
): Promise<Response> {
  const { value, faults } = await readBody(c.req.raw);
  const entries = isRecord(value) ? value.batch : undefined;
  if (!isRecord(value) || !Array.isArray(entries) || entries.length === 0) {
    throw invalidInput([{ field: "batch", message: "must be an array of messages" }]);
  }
  if (entries.length > maxBatch) {
    throw invalidInput([{ field: "batch", message: `must hold at most ${maxBatch} messages` }]);
  }
  const { workspaceId } = c.get("apiKey");
  const rest = { workspaceId, entries: entries.length };
  showRateLimit(c, await takeForRest(service.limiter, rest));
  const faultsOf = Map.groupBy(faults, ({ path }) => path[1]);
  const read = entries.map((message, i) =>
    readMessage(c, service, {
      message,
      path: ["batch", i],
      sentAt: value.sentAt,
      faults: faultsOf.get(i) ?? [],
    })
  );
  return await storeEntries(c, service, { door: "segment", envelope: "batch", entries, read });
}

/** `POST /track/v1/track` and the like: one message, of the type that the path names. */
export function storeSegmentMessage(type: SegmentType) {
  return async (c: TrackContext, service: TrackService): Promise<Response> => {
    const { value: message, faults } = await readBody(c.req.raw);
    const sentAt = isRecord(message) ? message.sentAt : undefined;
    const read = readMessage(c, service, { type, message, path: [], sentAt, faults });
    const entry = isRecord(message) ? { ...message, type } : message;
    return await storeEntry(c, service, { door: "segment", entry, read });
  };
}

interface ReceivedMessage {
  type?: SegmentType;
  message: unknown;
  path: JsonPath;
  sentAt: unknown;
  faults: readonly JsonFault[];
}

function readMessage(
  c: TrackContext,
  { now }: TrackService,
  { type, message, path, sentAt, faults }: ReceivedMessage,
): ReadEntry {
  const receivedAt = now().getTime();
  const translated = translateSegment(message, { type, sentAt, receivedAt });
  if (!translated.ok) {
    const details = translated.details.map(({ field, ...rest }) => {
      return { field: formatPath(field === "" ? path : [...path, field]), ...rest };
    });
    return { ok: false, code: "invalid_input", details };
  }
  const { workspaceId } = c.get("apiKey");
  return readTranslated(translated.entry, { workspaceId, receivedAt, path, faults });
}
