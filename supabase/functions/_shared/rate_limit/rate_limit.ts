import type { Context } from "hono";
import type { Bucket, TokenGrant, TokenRequest } from "./rate_limits.ts";
import { BoundedMap } from "../cache/bounded_map.ts";
import { ApiError, unauthorized } from "../errors/errors.ts";
import { withDeadline } from "../event_loop/with_deadline.ts";
import type { AppVariables } from "../http/http_app.ts";
import {
  createTokenReserve,
  enqueue,
  noteGrant,
  rateLimitHeaders,
  type RateLimitState,
  refill,
  reserveState,
  serve,
  type TokenReserve,
  type Waiter,
} from "./token_reserve.ts";

/** Takes tokens from the workspaces' buckets. */
export interface RateLimiter {
  /**
   * Takes `count` tokens, or throws `rate_limited` with `Retry-After` and the headers of the state.
   * A request larger than the bucket needs a full bucket, less the tokens `paid` for it. Returns
   * undefined if the state was never read and is unreachable: the request is admitted, because a
   * limiter must not take the service down.
   */
  take(workspaceId: string, count: number, paid?: number): Promise<RateLimitState | undefined>;
  /** Returns tokens that were taken for work that was not done. */
  giveBack(workspaceId: string, count: number): void;
}

export interface RateLimiterOptions {
  bucket: Bucket;
  /** Draws from the shared bucket; undefined for an unknown workspace. */
  takeTokens: (request: TokenRequest) => Promise<TokenGrant | undefined>;
  now: () => Date;
  /** Receives the reason why the state was unreachable. */
  onUnreachable?: (error: unknown) => void;
  /** Most workspaces kept in memory. @default 10000 */
  maxWorkspaces?: number;
  /** Longest wait for a response, in milliseconds. @default 3000 */
  timeoutMs?: number;
}

/** Work per token: bytes of a body, or characters built from it. */
export const workPerToken = 4 * 1024;

/** Pause after a failure, in milliseconds. */
const pauseMs = 1000;

/**
 * Shares a workspace's bucket between instances. Tokens are taken ahead in small reserves, so that
 * most requests cost no statement, and a refusal is remembered until enough tokens can be there
 * again, so that a caller far over the quota costs none either.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { bucket, now, onUnreachable, maxWorkspaces = 10_000, timeoutMs = 3000 } = options;
  const reserveOf = createReserveBook(bucket, maxWorkspaces);

  async function draw(
    reserve: TokenReserve,
    request: Omit<TokenRequest, "bucket">,
  ): Promise<number> {
    const at = now().getTime();
    const response = options.takeTokens({ ...request, bucket });
    const message = `Cannot take tokens: no response within ${timeoutMs} ms`;
    const grant = await withDeadline(response, { timeoutMs, message });
    if (grant === undefined) throw unauthorized("Workspace does not exist");
    noteGrant(reserve, grant, at);
    return grant.granted;
  }

  /** Asks the bucket on behalf of all waiters; true if its state is known afterwards. */
  async function ask(
    reserve: TokenReserve,
    { workspaceId, waiting }: { workspaceId: string; waiting: readonly Waiter[] },
  ): Promise<boolean> {
    try {
      await refill({
        reserve,
        waiting,
        now,
        draw: (tokens) => draw(reserve, { workspaceId, ...tokens }),
      });
      return true;
    } catch (error) {
      if (error instanceof ApiError) waiting.forEach((waiter) => waiter.reject(error));
      else {
        reserve.unreachableUntil = now().getTime() + pauseMs;
        onUnreachable?.(error);
        const state = reserveState(reserve, now().getTime());
        waiting.forEach((waiter) => waiter.resolve(state));
      }
      return false;
    }
  }

  async function serveWaiting(workspaceId: string, reserve: TokenReserve): Promise<void> {
    while (reserve.waiting.length > 0) {
      const waiting = reserve.waiting.splice(0);
      reserve.isAsking = true;
      const isKnown = await ask(reserve, { workspaceId, waiting });
      reserve.isAsking = false;
      const at = now().getTime();
      if (isKnown) serve(reserve, waiting, at);
      for (const late of reserve.waiting.splice(0)) enqueue(reserve, late, at);
    }
  }

  return {
    take(workspaceId, count, paid = 0) {
      const reserve = reserveOf(workspaceId);
      return new Promise((resolve, reject) => {
        enqueue(reserve, { count, paid, resolve, reject }, now().getTime());
        if (!reserve.isAsking) void serveWaiting(workspaceId, reserve);
      });
    },
    giveBack(workspaceId, count) {
      reserveOf(workspaceId).held += count;
    },
  };
}

/** Keeps the reserve of each workspace; beyond the maximum, the oldest is forgotten. */
function createReserveBook(
  bucket: Bucket,
  maxWorkspaces: number,
): (workspaceId: string) => TokenReserve {
  const reserves = new BoundedMap<string, TokenReserve>(maxWorkspaces, {
    // An instance in use would be created again by its next request.
    isInUse: ({ isAsking }) => isAsking,
  });
  return (workspaceId) => {
    const known = reserves.get(workspaceId);
    if (known !== undefined) return known;
    const reserve = createTokenReserve(bucket);
    reserves.set(workspaceId, reserve);
    return reserve;
  };
}

/** Sets the rate-limit headers of the response. */
export function setRateLimitHeaders<Variables extends AppVariables>(
  c: Context<{ Variables: Variables }>,
  state: RateLimitState | undefined,
): void {
  if (state === undefined) return;
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) c.header(name, value);
}

/**
 * Takes a token for each of a request's entries that is not `paid` yet; the first token is taken
 * before the body is read. A refused request keeps none. Returns undefined if no token is due.
 */
export async function chargeRemainingEntries(
  limiter: RateLimiter,
  { workspaceId, entries, paid = 1 }: { workspaceId: string; entries: number; paid?: number },
): Promise<RateLimitState | undefined> {
  if (entries <= paid) return undefined;
  try {
    return await limiter.take(workspaceId, entries - paid, paid);
  } catch (error) {
    limiter.giveBack(workspaceId, paid);
    throw error;
  }
}
