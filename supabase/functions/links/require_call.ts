import { ApiError } from "../_shared/errors/errors.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksService } from "./service.ts";

/** Purpose of a call about a send: an open or a click, a page for a choice, or the choice itself. */
type CallPurpose = "visit" | "page" | "choice";

/**
 * Counts a call about a send, for each purpose: 20 at once and ten per minute. So scanners that
 * open every link of a mail keep nobody from unsubscribing. Returns false beyond that.
 */
export function spendCall(
  { budget }: LinksService,
  { link }: FoundLink,
  purpose: CallPurpose,
): boolean {
  return budget.spend(`${purpose}:${link.sendId}`);
}

/**
 * Counts a call as `spendCall` does.
 *
 * @throws {ApiError} `rate_limited`
 */
export function requireCall(service: LinksService, found: FoundLink, purpose: CallPurpose): void {
  if (spendCall(service, found, purpose)) return;
  throw new ApiError("rate_limited", "Too many requests for this link: retry in 6 s", {
    headers: { "Retry-After": "6" },
  });
}
