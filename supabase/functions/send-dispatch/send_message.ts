import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import { errorFields, type Log } from "../_shared/log/log.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";
import { RenderError } from "../_shared/templates/liquid.ts";
import type { TemplateContents } from "../_shared/templates/render_template.ts";
import { decideSend, isUnknownAddress } from "./decide.ts";
import type { HandOver } from "./providers/provider.ts";
import { type HandOverTo, takesIdempotencyKey } from "./providers/hand_over.ts";
import { type RenderableSend, type RenderedSend, renderSend } from "./render_send.ts";
import type { ClaimedSend, SendDecision, SendResult, SendStart } from "./send_queue.ts";

/** Dependencies for sending. */
export interface SendDeps {
  handOver: HandOverTo;
  secrets: SecretBox;
  /** Base URL of the function `links`. */
  linksUrl: string;
  log: Log;
  now: () => Date;
  /** 0 to 1, for jitter. */
  random: () => number;
}

/** Calls of the database, grouped. */
export interface SendCalls {
  findTemplate(send: RenderableSend): Promise<TemplateContents | undefined>;
  begin(start: SendStart): Promise<SendDecision>;
}

const maxKnownSecrets = 2_000;
const releaseDelayMs = 5_000;
const unreadableDelayMs = 60_000;

/** Creates the function that sends one claimed message and returns the result. Never rejects. */
export function createSendMessage(
  deps: SendDeps,
  calls: SendCalls,
): (send: ClaimedSend, signal: AbortSignal) => Promise<SendResult> {
  const readConfig = rememberConfigs(deps.secrets);
  const later = (ms: number) => new Date(deps.now().getTime() + ms);

  async function send(claimed: ClaimedSend, signal: AbortSignal): Promise<SendResult> {
    if (claimed.skip_reason !== null || !isRenderable(claimed)) {
      return endUnsent(claimed, "skipped", { reason: claimed.skip_reason ?? "no_address" });
    }
    const contents = await calls.findTemplate(claimed);
    if (contents === undefined) {
      return endUnsent(claimed, "skipped", { reason: "template_deleted" });
    }
    let rendered: RenderedSend;
    try {
      rendered = renderSend(claimed, contents, { linksUrl: deps.linksUrl, now: deps.now() });
    } catch (error) {
      if (error instanceof RenderError) return failRendering(deps, claimed, error);
      throw error;
    }
    if (claimed.is_marketing && !rendered.hasOptOut) {
      return endUnsent(claimed, "skipped", { reason: "no_unsubscribe_link" });
    }
    const config = await readConfig(claimed);
    const { decision, reason, until } = await calls.begin(rendered.start);
    if (decision === "skip") return endUnsent(claimed, "skipped", { reason });
    if (decision === "unknown") return endUnsent(claimed, "unknown", { reason });
    if (decision !== "go") return endUnsent(claimed, "release", { reason, until });
    const attemptedAt = deps.now();
    const handOver = await deps.handOver(claimed.sender.provider, {
      message: rendered.message,
      config,
      senderId: claimed.sender_id,
      concurrency: claimed.sender.max_concurrency,
      signal,
    });
    return describeAttempt(deps, claimed, { handOver, attemptedAt });
  }

  return async (claimed, signal) => {
    try {
      return await send(claimed, signal);
    } catch (error) {
      // Nothing was handed over: handing over never rejects.
      const { workspace_id, sender_id, send_id } = claimed;
      deps.log.error("send_failed", { workspace_id, sender_id, send_id, ...errorFields(error) });
      const isUnreadable = (error as Error).name === "SecretError";
      const until = later(isUnreadable ? unreadableDelayMs : releaseDelayMs);
      return endUnsent(claimed, "release", { until });
    }
  };
}

/** Returns the result of a claimed message without an attempt. */
export function endUnsent(
  { claim, workspace_id, sender_id, send_id }: ClaimedSend,
  action: "skipped" | "unknown" | "release",
  { reason = null, until = null }: { reason?: string | null; until?: Date | null } = {},
): SendResult {
  return {
    claim,
    workspace_id,
    sender_id,
    send_id,
    action,
    reason,
    provider_id: null,
    is_sender_failure: false,
    is_hard_bounce: false,
    paused_until: null,
    next_attempt_at: until,
    attempt: null,
    duration_ms: null,
    attempted_at: null,
  };
}

function isRenderable(send: ClaimedSend): send is RenderableSend {
  return send.email !== null;
}

function describeAttempt(
  { now, random }: Pick<SendDeps, "now" | "random">,
  send: ClaimedSend,
  { handOver, attemptedAt }: { handOver: HandOver; attemptedAt: Date },
): SendResult {
  const decision = decideSend({
    handOver,
    attempt: send.attempt_number,
    isRepeatable: send.sender.on_unknown === "repeat" || takesIdempotencyKey(send.sender.provider),
    now: now(),
    random,
  });
  const { outcome, reason, statusCode, response, durationMs, providerId } = handOver;
  return {
    ...endUnsent(send, "release", { reason: decision.reason, until: decision.nextAttemptAt }),
    action: decision.action,
    provider_id: providerId,
    is_sender_failure: decision.isSenderFailure,
    is_hard_bounce: decision.action === "failed" && isUnknownAddress(handOver),
    paused_until: decision.pausedUntil,
    attempt: {
      at: attemptedAt,
      outcome,
      reason,
      status_code: statusCode,
      response,
      duration_ms: durationMs,
    },
    duration_ms: durationMs,
    attempted_at: attemptedAt,
  };
}

/** A template that took too long may be fast enough when the machine is less busy. */
function failRendering(
  deps: Pick<SendDeps, "now" | "random">,
  send: ClaimedSend,
  error: RenderError,
): SendResult {
  const isTemporary = error.reason === "too_slow";
  const handOver: HandOver = {
    // As a refusal of the recipient, for which the sender is not at fault.
    outcome: isTemporary ? "retry" : "failed",
    reason: error.reason,
    providerId: null,
    statusCode: null,
    response: error.message,
    retryAfter: null,
    durationMs: 0,
  };
  const result = describeAttempt(deps, send, { handOver, attemptedAt: deps.now() });
  return { ...result, is_sender_failure: false };
}

/** Decrypts each ciphertext once; the plain text stays in this process's memory. */
function rememberConfigs(
  box: SecretBox,
): (send: ClaimedSend) => Promise<Record<string, unknown>> {
  const known = new BoundedMap<string, Promise<Record<string, unknown>>>(maxKnownSecrets);
  return async ({ workspace_id, sender_id, sender, ciphertext }) => {
    if (ciphertext === null) return sender.config;
    const name = `${workspace_id} ${sender_id} ${ciphertext}`;
    const owner = { kind: "sender", workspaceId: workspace_id, id: sender_id };
    const secrets = known.get(name) ??
      box.decrypt(owner, ciphertext).then((text) => JSON.parse(text));
    known.set(name, secrets);
    secrets.catch(() => known.delete(name));
    return { ...sender.config, ...await secrets };
  };
}
