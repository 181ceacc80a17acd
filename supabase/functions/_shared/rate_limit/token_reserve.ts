import type { Bucket, TokenGrant, TokenRequest } from "./rate_limits.ts";
import type { ApiError } from "../errors/errors.ts";
import { formatBytes } from "./format_bytes.ts";
import { QuotaError } from "./quota_error.ts";

/** State of a bucket, as the caller sees it in the headers. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full. */
  resetSeconds: number;
}

/** Headers of every authenticated response. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  return {
    "RateLimit-Limit": String(state.limit),
    "RateLimit-Remaining": String(state.remaining),
    "RateLimit-Reset": String(state.resetSeconds),
  };
}

/** Request that waits for tokens. */
export interface Waiter {
  count: number;
  /** Tokens already taken for the same request. */
  paid: number;
  resolve: (state: RateLimitState | undefined) => void;
  reject: (error: ApiError) => void;
}

/** A workspace's tokens as known to one instance. */
export interface TokenReserve {
  bucket: Bucket;
  /** Tokens taken from the shared bucket and not used yet. */
  held: number;
  /** The last response of the bucket, and when it was requested (ms). */
  seen: { grant: TokenGrant; at: number } | undefined;
  /** The daily bytes are used up until then (ms); no request is sent before `askAt`. */
  blocked: { until: number; askAt: number } | undefined;
  /** The bucket had too few tokens; no request is sent before this time (ms). */
  emptyUntil: number;
  /** The bucket was unreachable; no request is sent before this time (ms). */
  unreachableUntil: number;
  waiting: Waiter[];
  isAsking: boolean;
}

// Takes the tokens of 1/20 s in advance: enough that a busy workspace asks only 20 times per
// second, and too few for many instances to hold much of the quota idle.
const reserveSeconds = 1 / 20;
// A larger plan takes effect within this time, even for a workspace that is refused until tomorrow.
const blockedAskMs = 10_000;

/** Makes an empty reserve, before the first response of the bucket. */
export function createTokenReserve(bucket: Bucket): TokenReserve {
  return {
    bucket,
    held: 0,
    seen: undefined,
    blocked: undefined,
    emptyUntil: 0,
    unreachableUntil: 0,
    waiting: [],
    isAsking: false,
  };
}

/** Returns the known state of the bucket at a moment (ms); undefined before the first response. */
export function reserveState(reserve: TokenReserve, at: number): RateLimitState | undefined {
  if (reserve.seen === undefined) return undefined;
  const { burst, perSecond } = reserve.seen.grant;
  const tokens = Math.floor(tokensAt(reserve, at));
  const remaining = Math.max(0, Math.min(burst, tokens));
  return {
    limit: burst,
    remaining,
    resetSeconds: Math.ceil((burst - Math.min(burst, tokens)) / perSecond),
  };
}

/** Serves a waiter if the result is known locally; otherwise the waiter waits for the bucket. */
export function enqueue(reserve: TokenReserve, waiter: Waiter, at: number): void {
  if (reserve.isAsking) reserve.waiting.push(waiter);
  else if (reserve.blocked !== undefined && at < reserve.blocked.askAt) refuse(reserve, waiter, at);
  else if (reserve.held >= waiter.count) admit(reserve, waiter, at);
  else if (at < reserve.unreachableUntil) waiter.resolve(reserveState(reserve, at));
  else if (at < reserve.emptyUntil || waitMs(reserve, waiter, at) > 0) refuse(reserve, waiter, at);
  else reserve.waiting.push(waiter);
}

export interface DrawOptions {
  reserve: TokenReserve;
  waiting: readonly Waiter[];
  now: () => Date;
  /** Draws between `needed` and `wanted` tokens, or none; returns how many. */
  draw: (tokens: Pick<TokenRequest, "needed" | "wanted" | "debt">) => Promise<number>;
}

/** Records the bucket's response to a request sent at a time (ms). */
export function noteGrant(reserve: TokenReserve, grant: TokenGrant, at: number): void {
  const { blockedSeconds } = grant;
  reserve.seen = { grant, at };
  reserve.held += grant.granted;
  const until = at + (blockedSeconds ?? 0) * 1000;
  reserve.blocked = blockedSeconds === null
    ? undefined
    : { until, askAt: Math.min(until, at + blockedAskMs) };
}

/** Draws tokens for all waiters, or for as many as the bucket can serve. */
export async function refill({ reserve, waiting, now, draw }: DrawOptions): Promise<void> {
  const ahead = Math.floor((reserve.seen?.grant.perSecond ?? 0) * reserveSeconds);
  const needed = missingFor(reserve, waiting);
  if (needed === 0) return;
  const drawn = await draw({ needed, wanted: needed + ahead, debt: debtOf(reserve, waiting) });
  if (reserve.blocked !== undefined) return;
  if (drawn === 0) {
    const affordable = affordableOf(reserve, waiting);
    const wanted = missingFor(reserve, affordable);
    if (wanted > 0) await draw({ needed: wanted, wanted, debt: debtOf(reserve, affordable) });
  }
  // An emptied bucket is left alone until it holds a reserve again, not asked for each new token.
  if (drawn < needed + ahead) reserve.emptyUntil = now().getTime() + reserveSeconds * 1000;
}

/** Gives the held tokens to waiters in order, and refuses the rest. */
export function serve(reserve: TokenReserve, waiting: readonly Waiter[], at: number): void {
  for (const waiter of waiting) {
    if (reserve.blocked === undefined && reserve.held >= dueOf(reserve, waiter)) {
      admit(reserve, waiter, at);
    } else refuse(reserve, waiter, at);
  }
}

function admit(reserve: TokenReserve, waiter: Waiter, at: number): void {
  reserve.held -= dueOf(reserve, waiter);
  waiter.resolve(reserveState(reserve, at));
}

function refuse(reserve: TokenReserve, waiter: Waiter, at: number): void {
  const { blocked, bucket } = reserve;
  const ms = blocked
    ? blocked.until - at
    : Math.max(waitMs(reserve, waiter, at), reserve.emptyUntil - at);
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `${describeExcess(reserve)}: retry in ${seconds} s`;
  const state = reserveState(reserve, at);
  const headers = { ...state && rateLimitHeaders(state), "Retry-After": String(seconds) };
  const reason = blocked === undefined ? "rate" : "bytes";
  waiter.reject(new QuotaError({ bucket, reason }, message, { headers }));
}

function describeExcess({ blocked, seen }: TokenReserve): string {
  if (blocked === undefined || seen === undefined) return "Rate limit of the workspace is exceeded";
  const { planId, bytesPerDay } = seen.grant;
  return `Cannot store more: the plan "${planId}" allows ${formatBytes(bytesPerDay ?? 0)} a day`;
}

/** Tokens required for a request; at most a full bucket, so that larger requests can pass. */
function dueOf(reserve: TokenReserve, { count, paid }: Waiter): number {
  return Math.min(count, reserve.seen === undefined ? count : reserve.seen.grant.burst - paid);
}

/** Cost beyond the required tokens, which the bucket owes before it fills again. */
function debtOf(reserve: TokenReserve, waiting: readonly Waiter[]): number {
  return sum(waiting, (waiter) => waiter.count - dueOf(reserve, waiter));
}

/** Tokens to request from the bucket; at least one if there is a debt. */
function missingFor(reserve: TokenReserve, waiting: readonly Waiter[]): number {
  const missing = sum(waiting, (waiter) => dueOf(reserve, waiter)) - reserve.held;
  return Math.max(missing, debtOf(reserve, waiting) > 0 ? 1 : 0);
}

/** Tokens held plus those in the bucket at most: other instances may have taken some since. */
function tokensAt(reserve: TokenReserve, at: number): number {
  if (reserve.seen === undefined) return reserve.held;
  const { burst, perSecond, remaining } = reserve.seen.grant;
  const refilled = remaining + perSecond * Math.max(0, at - reserve.seen.at) / 1000;
  return reserve.held + Math.min(burst, refilled);
}

/** Milliseconds until a request's tokens may be available; 0 if they may be now. */
function waitMs(reserve: TokenReserve, waiter: Waiter, at: number): number {
  if (reserve.seen === undefined) return 0;
  const missing = dueOf(reserve, waiter) - tokensAt(reserve, at);
  return Math.max(0, missing / reserve.seen.grant.perSecond * 1000);
}

/** Waiters that the bucket, as last seen, can serve one after the other. */
function affordableOf(reserve: TokenReserve, waiting: readonly Waiter[]): Waiter[] {
  let available = reserve.held + (reserve.seen?.grant.remaining ?? 0);
  return waiting.filter((waiter) => {
    const due = dueOf(reserve, waiter);
    const isAffordable = due <= available;
    if (isAffordable) available -= due;
    return isAffordable;
  });
}

function sum(waiting: readonly Waiter[], measure: (waiter: Waiter) => number): number {
  return waiting.reduce((total, waiter) => total + measure(waiter), 0);
}
