import { type BodyLimits, parseFaultless, readText } from "../_shared/http/body.ts";
import { maxSingle } from "../_shared/entries/schemas.ts";
import { countJson } from "../_shared/json/json_text.ts";
import { showRateLimit, takeForRest, workPerToken } from "../_shared/rate_limit/rate_limit.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** A body that has arrived: how many bytes it became, and its text or why it is refused. */
export type ReceivedBody =
  | { ok: true; bytes: number; text: string }
  | { ok: false; bytes: number; error: unknown };

/** Where the entries of a body are, if it holds several. */
export interface BodyForm {
  /** The top-level array of the entries. */
  envelope?: string;
  /** With more entries the body is refused, so that they cost nothing. */
  maxMembers?: number;
}

/** A body whose tokens were taken. */
export interface PaidBody {
  text: string;
  /** How many tokens, with the one that was taken before it was read. */
  paid: number;
}

/**
 * Receives the body of a caller whose key is known.
 *
 * @throws {ApiError} `rate_limited` where it is sure that the caller cannot pay for it
 */
export async function receiveOwnBody(
  c: TrackContext,
  { limiter, largeBodies }: TrackService,
  receive: () => Promise<ReceivedBody>,
): Promise<ReceivedBody> {
  const { workspaceId } = c.get("apiKey");
  try {
    largeBodies.requireRoom(workspaceId, c.req.raw.headers);
  } catch (error) {
    // The token from before: a refused request keeps none.
    limiter.giveBack(workspaceId, 1);
    throw error;
  }
  return await receive();
}

/** Receives a body; what is wrong with it is told once it is paid for. */
export async function receiveBody(request: Request, limits: BodyLimits): Promise<ReceivedBody> {
  let bytes = 0;
  try {
    const text = await readText(request, { ...limits, meter: (size) => bytes = size });
    return { ok: true, bytes, text };
  } catch (error) {
    return { ok: false, bytes, error };
  }
}

/**
 * Takes the tokens of a body before it is parsed: one for each entry, and at least one for every
 * full 32 KiB. They are counted, not guessed, so that a request asks the bucket once for them.
 *
 * @throws {ApiError} `rate_limited`, and what is wrong with the body
 */
export async function payForBody(
  c: TrackContext,
  { limiter, largeBodies }: TrackService,
  { body, envelope, maxMembers = Infinity }: BodyForm & { body: ReceivedBody },
): Promise<PaidBody> {
  const { workspaceId } = c.get("apiKey");
  const units = Math.floor(body.bytes / workPerToken);
  const members = body.ok && envelope !== undefined ? countJson(body.text, envelope).members : 0;
  const paid = Math.max(1, units, members <= maxMembers ? members : 0);
  try {
    showRateLimit(c, await takeForRest(limiter, { workspaceId, entries: paid }));
  } catch (error) {
    largeBodies.note(workspaceId, { bytes: body.bytes, error });
    throw error;
  }
  if (!body.ok) throw body.error;
  return { text: body.text, paid };
}

/**
 * The JSON of a body that holds one thing, after it is paid for.
 *
 * @throws {ApiError} `rate_limited`, and what is wrong with the body
 */
export async function readPaidJson(c: TrackContext, service: TrackService): Promise<unknown> {
  const body = await receiveOwnBody(c, service, () => receiveBody(c.req.raw, {}));
  const { text } = await payForBody(c, service, { body });
  return parseFaultless(text, { maxSingle });
}
