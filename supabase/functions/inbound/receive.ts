import { readBytes } from "../_shared/body.ts";
import { type Receipt, recordReceipt } from "../_shared/db/inbound.ts";
import { ApiError } from "../_shared/errors.ts";
import { readMessageId } from "../_shared/inbound/message_id.ts";
import { parsePayload } from "../_shared/inbound/payload.ts";
import { keepHeaders } from "../_shared/inbound/sources.ts";
import { errorFields } from "../_shared/log.ts";
import { showRateLimit } from "../_shared/rate_limit.ts";
import { answerHandshake } from "./handshake.ts";
import type { InboundContext, InboundService } from "./service.ts";
import type { Source } from "./source_book.ts";
import { type StoredMessage, storeMessage } from "./store_message.ts";
import { readClaim, verifyClaim } from "./verify.ts";

/** `POST /inbound/{source_id}`: one request of another system. */
export async function receive(c: InboundContext, service: InboundService): Promise<Response> {
  const source = await service.sources.find(c.req.param("source_id") ?? "");
  // An unknown id, a disabled source and what is no id at all are answered alike, body unread.
  if (source === undefined) throw new ApiError("not_found", "Source does not exist");
  Object.assign(c.get("fields"), { workspace_id: source.workspaceId, source_id: source.id });
  const receipt = startReceipt(c, source, service.now());
  try {
    return await receiveMessage(c, service, { source, receipt });
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      await recordRefusal(service, receipt, error);
    }
    throw error;
  }
}

async function receiveMessage(
  c: InboundContext,
  service: InboundService,
  { source, receipt }: { source: Source; receipt: Receipt },
): Promise<Response> {
  const body = await readVerified(c.req.raw, source, service.now());
  receipt.is_verified = true;
  receipt.body_bytes = body.byteLength;
  showRateLimit(c, await service.limiter.take(source.workspaceId, 1));
  receipt.body = keepBody(body);
  const payload = parsePayload(body, c.req.header("content-type"));
  const { headers } = receipt;
  const messageId = readMessageId({ scheme: source.scheme, headers, payload, body });
  receipt.message_id = messageId;
  const handshake = answerHandshake(source.scheme, { payload, headers });
  if (handshake !== undefined) {
    await recordReceipt(service.sql, { ...receipt, outcome: "handshake" });
    return c.json(handshake);
  }
  const message = { source, payload, messageId, receipt };
  const stored = await storeMessage(service, message);
  const { accepted, duplicates, ignored, rejected } = stored.receipt;
  Object.assign(c.get("fields"), { accepted, duplicates, ignored, rejected });
  const receiptId = await recordStored(service, stored);
  const counts = { accepted, duplicates, ignored, rejected };
  return c.json({ ok: rejected === 0, receipt_id: receiptId, ...counts });
}

/** After the entries: a database that goes away in between must not be told as 503, nothing stored. */
async function recordStored(
  { sql }: InboundService,
  { receipt, rejections }: StoredMessage,
): Promise<string> {
  try {
    return await recordReceipt(sql, receipt, rejections);
  } catch (cause) {
    throw new ApiError("internal_error", "internal error", { cause });
  }
}

/** The raw bytes, after their signature was verified; nothing of them is parsed before. */
async function readVerified(
  request: Request,
  source: Source,
  now: Date,
): Promise<Uint8Array<ArrayBuffer>> {
  const { scheme } = source;
  const claim = readClaim({ scheme, headers: request.headers, now });
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    // A signature is over the bytes as sent: inflating comes after verifying, or not at all.
    const message = `Content-Encoding "${encoding.slice(0, 100)}": send the body as it was signed`;
    throw new ApiError("unsupported_media_type", message);
  }
  const body = await readBytes(request);
  const live = source.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  verifyClaim({ scheme, claim, body, secrets: live.map(({ secret }) => secret) });
  return body;
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

const maxKeptBytes = 256 * 1024;

/** The body as text, where it is text and not too long to be kept. */
function keepBody(body: Uint8Array): string | null {
  return body.byteLength > maxKeptBytes ? null : new TextDecoder().decode(body);
}

/** What is refused costs a row only as far as the budget goes, and its own answer never depends on it. */
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
