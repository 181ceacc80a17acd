import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import type { WireBody } from "../_shared/http/body.ts";
import { unavailable } from "../_shared/errors/errors.ts";
import { QuotaError } from "../_shared/rate_limit/quota_error.ts";

/**
 * Prevents large bodies from delaying other requests. After a body has exceeded its workspace's
 * quota, the next large body is refused unread until the bucket can pay. Large bodies of one
 * workspace are read one after the other, so that only one is inflated at a time.
 */
export interface LargeBodies {
  /** @throws {ApiError} `rate_limited` for a body that is large, or may become so */
  requireRoom(workspaceId: string, headers: Headers): void;
  /** Records the result of a received body. */
  note(workspaceId: string, received: { bytes: number; error: unknown }): void;
  /**
   * Reads a body; a large one waits for the workspace's earlier large ones.
   *
   * @throws {ApiError} `unavailable` if too much waits, and any error of `read`
   */
  readInOrder<Read>(
    workspaceId: string,
    wire: WireBody,
    read: () => Promise<Read>,
  ): Promise<Read>;
}

const maxWorkspaces = 10_000;
/** Bodies of at least this size, and compressed ones, are refused after a refusal. */
const minRefusedBytes = 32 * 1024;
/** Bodies of at least this size, and compressed ones, are read in order. Most bulks are smaller. */
const largeBytes = 256 * 1024;
/** Most bytes of one workspace that may wait to be read: the same as may wait to be stored. */
const maxWaitingBytes = 10_500_000;

export function createLargeBodies(now: () => Date): LargeBodies {
  const refusals = new BoundedMap<string, { until: number; error: QuotaError }>(maxWorkspaces);
  const lines = new Map<string, { last: Promise<unknown>; bytes: number }>();
  return {
    requireRoom(workspaceId, headers) {
      const refusal = refusals.get(workspaceId);
      if (refusal === undefined || !mayBeLarge(headers)) return;
      const waitMs = refusal.until - now().getTime();
      if (waitMs <= 0) return void refusals.delete(workspaceId);
      const { error: refused } = refusal;
      const seconds = String(Math.ceil(waitMs / 1000));
      throw new QuotaError(refused, refused.message.replace(/\d+ s$/, `${seconds} s`), {
        headers: { ...refused.headers, "Retry-After": seconds },
      });
    },
    note(workspaceId, { bytes, error }) {
      if (bytes < minRefusedBytes || !(error instanceof QuotaError)) return;
      const seconds = Number(error.headers["Retry-After"]);
      if (!(seconds > 0)) return;
      refusals.set(workspaceId, { until: now().getTime() + seconds * 1000, error });
    },
    async readInOrder(workspaceId, { bytes: { byteLength }, format }, read) {
      if (format === undefined && byteLength < largeBytes) return await read();
      const line = lines.get(workspaceId) ?? { last: Promise.resolve(), bytes: 0 };
      if (line.bytes + byteLength > maxWaitingBytes) {
        throw unavailable("Too much of this workspace is waiting to be read: nothing was stored");
      }
      lines.set(workspaceId, line);
      line.bytes += byteLength;
      const result = line.last.then(read);
      const last = result.catch(() => {}).then(() => {
        line.bytes -= byteLength;
        if (line.last === last) lines.delete(workspaceId);
      });
      line.last = last;
      return await result;
    },
  };
}

/** Returns true for a compressed or long body, or one of unknown length. */
function mayBeLarge(headers: Headers): boolean {
  const length = headers.get("content-length");
  return (headers.get("content-encoding") ?? "identity") !== "identity" ||
    length === null || Number(length) >= minRefusedBytes;
}
