import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Caller, CallerSql } from "./caller.ts";
import { claimRequest, keepResponse } from "./idempotent_requests.ts";
import { ApiError, invalidInput } from "../../_shared/errors/errors.ts";
import { type SecretBox, SecretError } from "../../_shared/secrets/secrets.ts";
import type { ApiRoute, Call } from "./route.ts";

/** Header that makes a POST safe to repeat. */
export const keyHeader = "Idempotency-Key";
/** Longest key in characters. */
export const maxKeyLength = 255;
/**
 * Largest stored response, in bytes of JSON in UTF-8; a longer one is compressed. The longest common
 * response, for 500 resent entries, has 61 KB.
 */
export const maxKeptBytes = 64 * 1024;

/** A call that carries an `Idempotency-Key`. */
export interface KeyedCall {
  key: string;
  route: ApiRoute;
  input: Pick<Call, "params" | "query" | "body">;
  caller: Caller;
  workspaceId: string | undefined;
  secretBox: SecretBox;
}

/** Response of a call that has an `Idempotency-Key`. */
export interface OnceResult {
  response: unknown;
  /** True for the stored response of an earlier call. */
  isRepeat: boolean;
}

/**
 * Returns the key of a call, or undefined if it has none or is not a POST.
 *
 * @throws {ApiError} `invalid_input` for a key that is empty, too long or not printable ASCII
 */
export function readKey(route: ApiRoute, header: string | undefined): string | undefined {
  if (route.method !== "POST" || header === undefined) return undefined;
  if (/^[\x20-\x7e]+$/.test(header) && header.length <= maxKeyLength) return header;
  const message = `must be 1 to ${maxKeyLength} printable ASCII characters`;
  throw invalidInput([{ field: keyHeader, message }]);
}

/** Returns the key that the body of a call carries, if its route allows that. */
export function readBodyKey(route: ApiRoute, body: Call["body"]): string | undefined {
  const { idempotency_key } = body as { idempotency_key?: unknown };
  return route.hasBodyKey && typeof idempotency_key === "string" ? idempotency_key : undefined;
}

/**
 * Runs a call once per key: a repeat receives the response of the first call. The claim, the work
 * and the response are one transaction, so a failed call leaves its key free. Responses of dry
 * routes are not stored, and a repeat runs again.
 *
 * @throws {ApiError} `conflict` if the key was used for a different request, `payload_too_large` if
 * the response is too long to store
 */
export async function runOnce(
  tx: CallerSql,
  call: KeyedCall,
  run: () => Promise<unknown>,
): Promise<OnceResult> {
  const { key, secretBox } = call;
  const owner = responseOwner(call);
  const kept = await claimRequest(tx, {
    key,
    fingerprint: fingerprintOf(call),
    customerId: customerIdOf(call),
  });
  if (kept !== undefined) {
    const text = unpack(await openResponse(secretBox, owner, kept));
    return { response: JSON.parse(text), isRepeat: true };
  }
  const response = await run();
  if (call.route.isDry) return { response, isRepeat: false };
  // A response without a body is stored as null, so the stored text is never empty.
  const text = pack(JSON.stringify(response ?? null));
  await keepResponse(tx, { key, response: await secretBox.encrypt(owner, text) });
  return { response, isRepeat: false };
}

/** Start of a compressed response, which no JSON begins with. */
const compressedMark = "gzip:";

/**
 * Returns a response as it is stored.
 *
 * @throws {ApiError} `payload_too_large`, before the commit: without a stored response, a repeat
 * would do the work again
 */
function pack(text: string): string {
  if (Buffer.byteLength(text) <= maxKeptBytes) return text;
  const packed = compressedMark + gzipSync(text).toString("base64");
  if (packed.length <= maxKeptBytes) return packed;
  const message =
    `Response is over ${maxKeptBytes} bytes, too long to be kept: leave out ${keyHeader}`;
  throw new ApiError("payload_too_large", message);
}

function unpack(stored: string): string {
  if (!stored.startsWith(compressedMark)) return stored;
  return gunzipSync(Buffer.from(stored.slice(compressedMark.length), "base64")).toString();
}

function fingerprintOf({ route, input }: KeyedCall): string {
  const { params, query, body } = input;
  const request = JSON.stringify([route.operationId, params, query, body]);
  return createHash("sha256").update(request).digest("hex");
}

/** Customer whose data the response may contain, so that an erasure finds it. */
function customerIdOf({ route, input }: KeyedCall): string | undefined {
  if (!route.path.startsWith("/customers/{id}/")) return undefined;
  return (input.params as { id: string }).id;
}

function responseOwner({ key, caller, workspaceId = "" }: KeyedCall) {
  const callerId = caller.kind === "key" ? caller.key.id : caller.userId;
  return { kind: "request", workspaceId, id: `${callerId}.${key}` } as const;
}

async function openResponse(
  secretBox: SecretBox,
  owner: ReturnType<typeof responseOwner>,
  kept: string,
): Promise<string> {
  try {
    return await secretBox.decrypt(owner, kept);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    const message = "Cannot repeat the response: its encryption key was removed";
    throw new ApiError("conflict", message, { cause: error });
  }
}
