import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import type { AttemptResult, ClaimedDelivery, ResultAction } from "./dispatch_queue.ts";
import type { GuardedFetch, SendOutcome } from "../_shared/outbound/guarded_fetch.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import type { SecretBox, SecretOwner } from "../_shared/secrets/secrets.ts";
import { signDelivery } from "../_shared/secrets/signing.ts";
import { createUuidV7 } from "../_shared/ids/uuid_v7.ts";
import { decideOutcome, type Decision } from "./decide.ts";
import { addHeaders, hideValues, type OwnHeader } from "./own_headers.ts";

/** Dependencies for sending. */
export interface SendDeps {
  fetch: GuardedFetch;
  secrets: SecretBox;
  log: Log;
  now: () => Date;
  /** 0 to 1, for jitter. */
  random: () => number;
}

const maxKnownSecrets = 2_000;
const unsignedDelayMs = 60_000;

/** Creates the function that attempts one claimed delivery and returns the result. */
export function createSendDelivery(
  deps: SendDeps,
): (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptResult> {
  const readSecret = rememberSecrets(deps.secrets);
  return async (delivery, signal) => {
    const { event_type, body, url, max_concurrency } = delivery;
    if (event_type === null || body === null || url === null) return endUnsent(delivery, "drop");
    const attemptedAt = deps.now();
    const bytes = new TextEncoder().encode(body);
    let headers: Record<string, string>;
    let own: OwnHeader[] = [];
    try {
      const signed = signDelivery({
        messageId: delivery.message_id,
        eventType: event_type,
        body: bytes,
        attemptedAt,
        secrets: await readSecrets(delivery, readSecret),
      });
      own = await readHeaders(delivery, readSecret);
      headers = addHeaders(signed, own);
    } catch (error) {
      // An operator must fix this: nothing is sent unsigned, and the destination is not at fault.
      const { workspace_id, destination_id } = delivery;
      deps.log.error("sign_failed", { workspace_id, destination_id, ...errorFields(error) });
      return endUnsent(delivery, "release", new Date(attemptedAt.getTime() + unsignedDelayMs));
    }
    const outcome = hideValues(
      own,
      await deps.fetch.send({
        key: delivery.destination_id,
        url,
        headers,
        body: bytes,
        concurrency: max_concurrency ?? 1,
        signal,
      }),
    );
    const decision = decideOutcome({
      outcome,
      attempt: delivery.try_number,
      now: deps.now(),
      random: deps.random,
      // The user who requested a ping sees the response, and can repeat it.
      ...(delivery.trigger === "test" ? { maxAttempts: 1 } : {}),
    });
    return describeAttempt({ delivery, attemptedAt, outcome, decision });
  };
}

/** Returns the result of a claimed delivery without an attempt. */
export function endUnsent(
  delivery: ClaimedDelivery,
  action: "release" | "drop",
  nextAttemptAt: Date | null = null,
): AttemptResult {
  return {
    ...identify(delivery, delivery.message_created_at),
    action,
    ok: false,
    status_code: null,
    response_snippet: null,
    response_headers: null,
    error: null,
    duration_ms: null,
    next_attempt_at: nextAttemptAt,
    reason: null,
  };
}

function describeAttempt(
  { delivery, attemptedAt, outcome, decision }: {
    delivery: ClaimedDelivery;
    attemptedAt: Date;
    outcome: SendOutcome;
    decision: Decision;
  },
): AttemptResult {
  return {
    ...identify(delivery, attemptedAt),
    action: actionOf(decision, delivery),
    ok: outcome.ok,
    status_code: outcome.status_code,
    response_snippet: outcome.response_snippet,
    response_headers: outcome.response_headers,
    error: outcome.error,
    duration_ms: outcome.duration_ms,
    next_attempt_at: "retryAt" in decision ? decision.retryAt : null,
    reason: "reason" in decision ? decision.reason : null,
  };
}

function identify(delivery: ClaimedDelivery, attemptedAt: Date) {
  return {
    claim: delivery.claim,
    id: createUuidV7(attemptedAt),
    workspace_id: delivery.workspace_id,
    destination_id: delivery.destination_id,
    message_id: delivery.message_id,
    message_created_at: delivery.message_created_at,
    event_type: delivery.event_type,
    attempt_number: delivery.attempt_number,
    trigger: delivery.trigger,
    attempted_at: attemptedAt,
  };
}

/** A ping tests the URL, not the subscription: it does not disable the destination. */
function actionOf(decision: Decision, delivery: ClaimedDelivery): ResultAction {
  return decision.action === "disable" && delivery.trigger === "test"
    ? "exhausted"
    : decision.action;
}

type ReadSecret = (owner: SecretOwner, ciphertext: string) => Promise<string>;

/** Decrypts each ciphertext once; the plain text stays in this process's memory. */
function rememberSecrets(box: SecretBox): ReadSecret {
  const known = new BoundedMap<string, Promise<string>>(maxKnownSecrets);
  return (owner, ciphertext) => {
    const name = `${owner.kind} ${owner.workspaceId} ${owner.id} ${ciphertext}`;
    const plain = known.get(name) ?? box.decrypt(owner, ciphertext);
    known.set(name, plain);
    plain.catch(() => known.delete(name));
    return plain;
  };
}

async function readSecrets(
  { workspace_id, destination_id, secrets }: ClaimedDelivery,
  read: ReadSecret,
): Promise<string[]> {
  const owner = { kind: "destination", workspaceId: workspace_id, id: destination_id } as const;
  return await Promise.all((secrets ?? []).map((ciphertext) => read(owner, ciphertext)));
}

async function readHeaders(
  { workspace_id, destination_id, headers }: ClaimedDelivery,
  read: ReadSecret,
): Promise<OwnHeader[]> {
  if (headers === null) return [];
  const owner = {
    kind: "destination_header",
    workspaceId: workspace_id,
    id: destination_id,
  } as const;
  return await Promise.all(
    Object.entries(headers).map(async ([name, ciphertext]) => {
      return [name, await read(owner, ciphertext)] as const;
    }),
  );
}
