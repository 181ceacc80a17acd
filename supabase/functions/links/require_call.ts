import { ApiError } from "../_shared/errors/errors.ts";
import type { FoundLink } from "./found_link.ts";
import type { LinksService } from "./service.ts";

/**
 * Counts a call about a send: 20 at once and ten per minute.
 *
 * @throws {ApiError} `rate_limited`
 */
export function requireCall({ budget }: LinksService, { link }: FoundLink): void {
  if (budget.spend(link.sendId)) return;
  throw new ApiError("rate_limited", "Too many requests for this link: retry in 6 s", {
    headers: { "Retry-After": "6" },
  });
}
