import { ApiError } from "../_shared/platform/errors.ts";
import { workPerToken } from "../_shared/rate_limit/rate_limit.ts";

/**
 * Remembers whose large body was received and then refused for its price: until the bucket can
 * pay, the next one is refused unread. Otherwise a caller over the quota could have bodies
 * received and inflated for nothing.
 */
export interface LargeBodies {
  /** @throws {ApiError} `rate_limited` for a body that is large, or may become so */
  requireRoom(workspaceId: string, headers: Headers): void;
  /** Notes what became of a body that was received. */
  note(workspaceId: string, received: { bytes: number; error: unknown }): void;
}

const maxWorkspaces = 10_000;

export function createLargeBodies(now: () => Date): LargeBodies {
  const refusals = new Map<string, { until: number; error: ApiError }>();
  return {
    requireRoom(workspaceId, headers) {
      const refusal = refusals.get(workspaceId);
      if (refusal === undefined || !mayBeLarge(headers)) return;
      const waitMs = refusal.until - now().getTime();
      if (waitMs <= 0) return void refusals.delete(workspaceId);
      const { code, message, headers: state } = refusal.error;
      const seconds = String(Math.ceil(waitMs / 1000));
      throw new ApiError(code, message.replace(/\d+ s$/, `${seconds} s`), {
        headers: { ...state, "Retry-After": seconds },
      });
    },
    note(workspaceId, { bytes, error }) {
      if (bytes < workPerToken || !(error instanceof ApiError)) return;
      const seconds = Number(error.headers["Retry-After"]);
      if (error.code !== "rate_limited" || !(seconds > 0)) return;
      if (refusals.size >= maxWorkspaces) refusals.clear();
      refusals.set(workspaceId, { until: now().getTime() + seconds * 1000, error });
    },
  };
}

/** Compressed, long, or of a length that is not told. */
function mayBeLarge(headers: Headers): boolean {
  const length = headers.get("content-length");
  return (headers.get("content-encoding") ?? "identity") !== "identity" ||
    length === null || Number(length) >= workPerToken;
}
