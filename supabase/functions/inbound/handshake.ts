import { asRecord } from "../_shared/sources/drafts.ts";
import type { Scheme } from "../_shared/sources/sources.ts";
import type { Material } from "../_shared/sources/values.ts";
import type { SnsMessage, SnsReader } from "./sns.ts";

/**
 * Responds to a request that only tests the URL: Slack expects its challenge, GitHub sends a
 * `ping`, SNS asks to confirm a subscription. Undefined for every other request.
 */
export async function respondToHandshake(
  scheme: Scheme,
  { payload, headers, sns }: Material & { sns: SnsReader },
): Promise<Record<string, unknown> | undefined> {
  const body = asRecord(payload);
  if (scheme === "slack" && body.type === "url_verification") {
    if (typeof body.challenge === "string") return { challenge: body.challenge };
  }
  if (scheme === "github" && headers["x-github-event"] === "ping") return { ok: true };
  if (scheme !== "sns" || body.Type === "Notification") return undefined;
  if (body.Type === "SubscriptionConfirmation") await sns.confirm(body as SnsMessage);
  return { ok: true };
}
