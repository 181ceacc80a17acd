import { openText, parseFaultless, type WireBody } from "../_shared/http/body.ts";
import { maxSingle } from "../_shared/entries/schemas.ts";
import { countJsonInSteps, type JsonCounts } from "../_shared/json/scan.ts";
import {
  chargeRemainingEntries,
  setRateLimitHeaders,
  workPerToken,
} from "../_shared/rate_limit/rate_limit.ts";
import { runInSlices, type Slices } from "../_shared/event_loop/slices.ts";
import { isSmallBody, receiveBody, type ReceivedBody } from "./received_body.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** Location of the entries in a body with several. */
export interface BodyForm {
  /** The top-level array of the entries. */
  envelope?: string;
  /** Most entries; a body with more is refused, and its entries cost nothing. */
  maxMembers?: number;
}

/** A body whose tokens were taken. */
export interface PaidBody {
  text: string;
  counts: JsonCounts;
  /** Number of tokens, including the one taken before the body was read. */
  paid: number;
}

/** Functions that receive and read the body of a request. */
export interface BodyReader<Read> {
  receive: () => Promise<ReceivedBody>;
  /** Reads the body until it is ready to be stored. */
  read: (body: ReceivedBody) => Promise<Read>;
}

/**
 * Receives and reads the body of a caller with a known key; reads one large body per workspace at a
 * time. Reserves room for its entries, as `room` of the context.
 *
 * @throws {ApiError} `rate_limited` if the caller certainly cannot pay for it, `unavailable` if its
 * entries would wait too long
 */
export async function readOwnBody<Read>(
  c: TrackContext,
  { limiter, largeBodies, batcher }: TrackService,
  { receive, read }: BodyReader<Read>,
): Promise<Read> {
  const { workspaceId } = c.get("apiKey");
  const requireRoom = (received?: WireBody) => {
    try {
      largeBodies.requireRoom(workspaceId, c.req.raw.headers);
      // A connection with an unread body is closed, and callers would open new ones in an overload.
      if (received !== undefined) {
        c.set("room", batcher.reserveRoom(workspaceId, received.bytes.byteLength));
      }
    } catch (error) {
      // Returns the token that was taken before, because a refused request keeps no token.
      limiter.giveBack(workspaceId, 1);
      throw error;
    }
  };
  requireRoom();
  const body = await receive();
  if (!body.ok) return await read(body);
  return await largeBodies.readInOrder(workspaceId, body.wire, () => {
    // An earlier body may have been refused in the meantime.
    requireRoom(body.wire);
    return read(body);
  });
}

type OpenedBody =
  | { ok: true; bytes: number; text: string }
  | { ok: false; bytes: number; error: unknown };

async function openBody(body: ReceivedBody, slices: Slices): Promise<OpenedBody> {
  if (!body.ok) return body;
  let bytes = body.wire.bytes.byteLength;
  try {
    const text = await openText(body.wire, { meter: (size) => bytes = size, slices });
    return { ok: true, bytes, text };
  } catch (error) {
    return { ok: false, bytes, error };
  }
}

/**
 * Takes the tokens of a body before it is parsed: one per entry, and at least one per full 4 KiB.
 * They are counted exactly, so that a request asks the bucket once.
 *
 * @throws {ApiError} `rate_limited`, and errors in the body
 */
export async function payForBody(
  c: TrackContext,
  { limiter, largeBodies }: TrackService,
  { body, envelope, maxMembers = Infinity, slices }: BodyForm & {
    body: ReceivedBody;
    slices: Slices;
  },
): Promise<PaidBody> {
  const { workspaceId } = c.get("apiKey");
  const opened = await openBody(body, slices);
  const { bytes } = opened;
  const counts = opened.ok
    ? await runInSlices(countJsonInSteps(opened.text, envelope), slices)
    : undefined;
  const members = envelope === undefined ? 0 : counts?.members ?? 0;
  const units = Math.floor(bytes / workPerToken);
  const paid = Math.max(1, units, members <= maxMembers ? members : 0);
  try {
    setRateLimitHeaders(c, await chargeRemainingEntries(limiter, { workspaceId, entries: paid }));
  } catch (error) {
    largeBodies.note(workspaceId, { bytes, error });
    throw error;
  }
  if (!opened.ok) throw opened.error;
  return { text: opened.text, counts: counts!, paid };
}

/**
 * Reads the JSON of a body with a single item, after it is paid for.
 *
 * @throws {ApiError} `rate_limited`, and errors in the body
 */
export async function readPaidJson(c: TrackContext, service: TrackService): Promise<unknown> {
  return await readOwnBody(c, service, {
    receive: () => receiveBody(c.req.raw, {}),
    async read(body) {
      const slices = service.loop.slicesOf(c.get("apiKey").workspaceId, isSmallBody(body));
      const { text, counts } = await payForBody(c, service, { body, slices });
      return parseFaultless(text, { maxSingle, counts });
    },
  });
}
