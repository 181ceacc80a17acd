import { readBytes } from "../_shared/http/body.ts";
import { type Receipt, recordReceipt } from "./inbound_queries.ts";
import { ApiError } from "../_shared/errors/errors.ts";
import { readMessageId } from "../_shared/sources/message_id.ts";
import { readPayload } from "../_shared/sources/payload.ts";
import { keepHeaders } from "../_shared/sources/kept_headers.ts";
import { keepBody, withoutSignature } from "../_shared/sources/body_signature.ts";
import { errorFields } from "../_shared/log/log.ts";
import { setRateLimitHeaders, workPerToken } from "../_shared/rate_limit/rate_limit.ts";
import { respondToHandshake } from "./handshake.ts";
import { ruleOf } from "./schemes.ts";
import type { InboundContext, InboundService } from "./service.ts";
import type { Source } from "./source_book.ts";
import type { SourceFinder } from "./source_finder.ts";
import { storeMessage } from "./store_message.ts";
import { readBodyClaim, readClaim, refused, verifyClaim } from "./verify.ts";

/** Handles `POST /inbound/{source_id}`: one request of another system. */
export async function receive(c: InboundContext, finder: SourceFinder): Promise<Response> {
  const id = c.req.param("source_id") ?? "";
  const found = await finder.find(id);
  // An unknown id, a disabled source and a malformed id get the same response, with the body
  // unread.
  if (found === undefined) throw new ApiError("not_found", "Source does not exist");
  const { source, service } = found;
  Object.assign(c.get("fields"), { workspace_id: source.workspaceId, source_id: source.id });
  const receipt = startReceipt(c, source, service.now());
  try {
    return await receiveMessage(c, service, { source, receipt });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      await recordRefusal(service, receipt, error);
    }
    const { workspaceId } = source;
    service.throttles.note(error, { workspaceId, caller: { kind: "source", id: source.id } });
    finder.noteError(id, error);
    throw error;
  }
}

async function receiveMessage(
  c: InboundContext,
  service: InboundService,
  { source, receipt }: { source: Source; receipt: Receipt },
): Promise<Response> {
  const body = await readVerified(c, service, source);
  receipt.is_verified = true;
  receipt.body_bytes = body.byteLength;
  setRateLimitHeaders(c, await service.limiter.take(source.workspaceId, tokensOf(body)));
  receipt.body = keepBody(source.scheme, body);
  const room = await service.bodyGate.enter(body.byteLength);
  try {
    return await processBody(c, service, { source, receipt, body });
  } finally {
    room.leave();
  }
}

async function processBody(
  c: InboundContext,
  service: InboundService,
  { source, receipt, body }: { source: Source; receipt: Receipt; body: Uint8Array },
): Promise<Response> {
  const { scheme } = source;
  const payload = readPayload({ scheme, body, contentType: c.req.header("content-type") });
  const { headers } = receipt;
  const messageId = readMessageId({ scheme, headers, payload, body });
  receipt.message_id = messageId;
  const handshake = await respondToHandshake(scheme, { payload, headers, sns: service.sns });
  if (handshake !== undefined) {
    await recordReceipt(service.sql, { ...receipt, outcome: "handshake" });
    return c.json(handshake);
  }
  const message = {
    source,
    payload: withoutSignature(scheme, payload),
    messageId,
    receipt,
    paid: tokensOf(body),
  };
  const stored = await storeMessage(service, message);
  const { accepted, duplicates, ignored, rejected } = stored.receipt;
  Object.assign(c.get("fields"), { accepted, duplicates, ignored, rejected });
  const counts = { accepted, duplicates, ignored, rejected };
  return c.json({ ok: rejected === 0, receipt_id: stored.receiptId, ...counts });
}

/** Cost of a body before parsing: reading it is work too. */
function tokensOf(body: Uint8Array): number {
  return Math.max(1, Math.floor(body.byteLength / workPerToken));
}

/** Returns the raw bytes, after verifying their signature. */
async function readVerified(
  c: InboundContext,
  service: InboundService,
  source: Source,
): Promise<Uint8Array<ArrayBuffer>> {
  const now = service.now();
  const { headers } = c.req.raw;
  if (source.scheme === "sns") {
    requireUnencoded(headers);
    const body = await readBytes(c.req.raw);
    const topicArn = source.topicArn ?? "";
    await service.sns.read({ body, topicArn, sourceId: source.id });
    return body;
  }
  const live = source.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const secrets = live.map(({ secret }) => secret);
  if (secrets.length === 0) {
    throw refused("Source has no secret yet, so no signature can be checked: add the secret");
  }
  const rule = ruleOf({ ...source, scheme: source.scheme });
  const claimed = readClaim({ rule, headers, now });
  requireUnencoded(headers);
  const body = await readBytes(c.req.raw);
  const claim = claimed ?? readBodyClaim({ rule, body, now });
  const request = { method: c.req.method, url: addressOf(c, service) };
  verifyClaim({ rule, claim, body, secrets, request });
  return body;
}

/** A signature covers the bytes as sent: decompress after verifying, or not at all. */
function requireUnencoded(headers: Headers): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding === "identity") return;
  const message = `Content-Encoding "${encoding.slice(0, 100)}": send the body as it was signed`;
  throw new ApiError("unsupported_media_type", message);
}

/** Returns the URL as the sender knows it: a function sees the one behind the gateway. */
function addressOf(c: InboundContext, { baseUrl }: InboundService): string {
  const { pathname, search } = new URL(c.req.url);
  return `${baseUrl}/functions/v1${pathname}${search}`;
}

function startReceipt(c: InboundContext, source: Source, now: Date): Receipt {
  return {
    workspace_id: source.workspaceId,
    source_id: source.id,
    received_at: now.toISOString(),
    is_verified: false,
    outcome: "refused",
    status_code: 200,
    error: null,
    message_id: null,
    headers: keepHeaders(c.req.raw.headers),
    body: null,
    body_bytes: 0,
    accepted: 0,
    duplicates: 0,
    ignored: 0,
    rejected: 0,
    results: [],
    customer_ids: [],
    request_id: c.get("requestId"),
  };
}

/** Records a refusal within the budget; the response never depends on it. */
async function recordRefusal(
  { sql, budget, log }: InboundService,
  receipt: Receipt,
  error: ApiError,
): Promise<void> {
  if (!budget.spend(receipt.source_id)) return;
  const refusal: Receipt = {
    ...receipt,
    outcome: "refused",
    status_code: error.status,
    error: error.message,
  };
  try {
    await recordReceipt(sql, refusal);
  } catch (failure) {
    log.warn("receipt not recorded", errorFields(failure));
  }
}
