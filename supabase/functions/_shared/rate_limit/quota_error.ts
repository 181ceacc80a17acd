import { ApiError, type ApiErrorOptions } from "../errors/errors.ts";
import type { Bucket } from "./rate_limits.ts";

/** A quota of a plan: the requests or entries per second, or the stored bytes per day. */
export type QuotaReason = "rate" | "bytes";

/** Error `rate_limited` because a quota of the workspace's plan is used up. */
export class QuotaError extends ApiError {
  readonly bucket: Bucket;
  readonly reason: QuotaReason;

  constructor(
    { bucket, reason }: { bucket: Bucket; reason: QuotaReason },
    message: string,
    options: ApiErrorOptions,
  ) {
    super("rate_limited", message, options);
    this.bucket = bucket;
    this.reason = reason;
  }
}
