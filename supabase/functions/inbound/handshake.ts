import { asRecord } from "../_shared/inbound/drafts.ts";
import type { Scheme } from "../_shared/inbound/sources.ts";
import type { Material } from "../_shared/inbound/values.ts";

/**
 * The answer to a request that only tries the address: Slack wants its challenge back, GitHub
 * sends a `ping`. Undefined for every other request.
 */
export function answerHandshake(
  scheme: Scheme,
  { payload, headers }: Material,
): Record<string, unknown> | undefined {
  if (scheme === "slack") {
    const { type, challenge } = asRecord(payload);
    if (type === "url_verification" && typeof challenge === "string") return { challenge };
  }
  if (scheme === "github" && headers["x-github-event"] === "ping") return { ok: true };
  return undefined;
}
