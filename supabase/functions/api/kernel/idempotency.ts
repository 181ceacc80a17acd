import { createHash } from "node:crypto";
import type { Caller, CallerSql } from "../../_shared/access/caller.ts";
import { claimRequest, keepAnswer } from "./idempotent_requests.ts";
import { ApiError, invalidInput } from "../../_shared/platform/errors.ts";
import { type SecretBox, SecretError } from "../../_shared/secrets/secrets.ts";
import type { ApiRoute, Call } from "./route.ts";

/** The header that makes a POST safe to repeat. */
export const keyHeader = "Idempotency-Key";
/** Most characters of a key. */
export const maxKeyLength = 255;
/**
 * Most bytes of an answer that is kept, as JSON in UTF-8. The longest of usual calls, 500 entries that
 * were sent again, has 61 KB.
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

export interface OnceResult {
  answer: unknown;
  /** Whether this is the kept answer of an earlier call. */
  isRepeat: boolean;
}

/**
 * The key of a call, or undefined when it has none or is no POST.
 *
 * @throws {ApiError} `invalid_input` for a key that is empty, too long or holds odd characters
 */
export function readKey(route: ApiRoute, header: string | undefined): string | undefined {
  if (route.method !== "POST" || header === undefined) return undefined;
  if (/^[\x20-\x7e]+$/.test(header) && header.length <= maxKeyLength) return header;
  const message = `must be 1 to ${maxKeyLength} printable ASCII characters`;
  throw invalidInput([{ field: keyHeader, message }]);
}

/**
 * Runs a call once for its key: a repeat gets the answer of the first call. The claim, the work and
 * the answer are one transaction, so a call that fails leaves its key free. Of a dry route no answer
 * is kept, and a repeat runs again.
 *
 * @throws {ApiError} `conflict` when the key was used for a different request, `payload_too_large`
 *   when the answer is too long to be kept
 */
export async function runOnce(
  tx: CallerSql,
  call: KeyedCall,
  run: () => Promise<unknown>,
): Promise<OnceResult> {
  const { key, secretBox } = call;
  const owner = answerOwner(call);
  const kept = await claimRequest(tx, {
    key,
    fingerprint: fingerprintOf(call),
    customerId: customerIdOf(call),
  });
  if (kept !== undefined) {
    return { answer: JSON.parse(await openAnswer(secretBox, owner, kept)), isRepeat: true };
  }
  const answer = await run();
  if (call.route.isDry) return { answer, isRepeat: false };
  // An answer without a body is null: what is kept is never empty.
  const text = JSON.stringify(answer ?? null);
  requireKeepable(text);
  await keepAnswer(tx, { key, answer: await secretBox.encrypt(owner, text) });
  return { answer, isRepeat: false };
}

/** Thrown before the commit: without its answer, a repeat would do the work a second time. */
function requireKeepable(text: string): void {
  if (new TextEncoder().encode(text).byteLength <= maxKeptBytes) return;
  const message =
    `Answer is over ${maxKeptBytes} bytes, too long to be kept: leave out ${keyHeader}`;
  throw new ApiError("payload_too_large", message);
}

function fingerprintOf({ route, input }: KeyedCall): string {
  const { params, query, body } = input;
  const request = JSON.stringify([route.operationId, params, query, body]);
  return createHash("sha256").update(request).digest("hex");
}

/** The customer whose data the answer may hold, so that an erasure finds it. */
function customerIdOf({ route, input }: KeyedCall): string | undefined {
  if (!route.path.startsWith("/customers/{id}/")) return undefined;
  return (input.params as { id: string }).id;
}

function answerOwner({ key, caller, workspaceId = "" }: KeyedCall) {
  const callerId = caller.kind === "key" ? caller.key.id : caller.userId;
  return { kind: "request", workspaceId, id: `${callerId}.${key}` } as const;
}

async function openAnswer(
  secretBox: SecretBox,
  owner: ReturnType<typeof answerOwner>,
  kept: string,
): Promise<string> {
  try {
    return await secretBox.decrypt(owner, kept);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    const message = "Cannot repeat the answer: the key that encrypts it was removed";
    throw new ApiError("conflict", message, { cause: error });
  }
}
