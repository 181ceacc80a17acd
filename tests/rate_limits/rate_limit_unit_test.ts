import assert from "node:assert/strict";
import fc from "fast-check";
import type {
  TokenGrant,
  TokenRequest,
} from "../../supabase/functions/_shared/rate_limit/rate_limits.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import {
  chargeRemainingEntries,
  createRateLimiter,
  type RateLimiter,
} from "../../supabase/functions/_shared/rate_limit/rate_limit.ts";

const unmetered = { blockedSeconds: null, bytesPerDay: 1024 ** 3, planId: "free" };

/** The bucket of one workspace as SQL keeps it, on a clock that moves when told. */
function createBucket({ perSecond, burst }: { perSecond: number; burst: number }) {
  const bucket = { at: 0, tokens: burst, refilledAt: 0, questions: 0, granted: 0 };
  const takeTokens = ({ needed, wanted, debt }: TokenRequest): Promise<TokenGrant> => {
    bucket.questions++;
    const refill = perSecond * (bucket.at - bucket.refilledAt) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + refill);
    bucket.refilledAt = bucket.at;
    const whole = Math.floor(bucket.tokens);
    const granted = whole >= needed ? Math.min(wanted, whole) : 0;
    if (granted > 0) bucket.tokens -= granted + debt;
    bucket.granted += granted;
    const remaining = Math.floor(bucket.tokens);
    return Promise.resolve({ granted, remaining, perSecond, burst, ...unmetered });
  };
  const start = () =>
    createRateLimiter({ bucket: "ingest", takeTokens, now: () => new Date(bucket.at) });
  return { bucket, start };
}

async function isAdmitted(limiter: RateLimiter, count: number, paid = 0): Promise<boolean> {
  try {
    await limiter.take("w", count, paid);
    return true;
  } catch (error) {
    assert(error instanceof ApiError && error.code === "rate_limited");
    return false;
  }
}

async function refusal(limiter: RateLimiter, count: number): Promise<ApiError> {
  try {
    await limiter.take("w", count);
  } catch (error) {
    assert(error instanceof ApiError);
    return error;
  }
  assert.fail("admitted");
}

Deno.test("take() admits the burst to the last token and then refuses", async () => {
  const { start } = createBucket({ perSecond: 10, burst: 50 });
  const limiter = start();
  for (let i = 0; i < 50; i++) assert(await isAdmitted(limiter, 1), String(i));
  assert(!await isAdmitted(limiter, 1));
});

Deno.test("take() returns limit, remaining and reset, and when to retry", async () => {
  const { bucket, start } = createBucket({ perSecond: 10, burst: 50 });
  const limiter = start();
  assert.deepEqual(await limiter.take("w", 20), { limit: 50, remaining: 30, resetSeconds: 2 });
  const error = await refusal(limiter, 45);
  assert.equal(error.headers["Retry-After"], "2");
  assert.equal(error.headers["RateLimit-Limit"], "50");
  assert.equal(error.headers["RateLimit-Remaining"], "30");
  bucket.at += 2000;
  assert(await isAdmitted(limiter, 45));
});

Deno.test("take() asks the database at most 20 times per second, over or under the quota", async () => {
  const { bucket, start } = createBucket({ perSecond: 1000, burst: 1000 });
  const limiter = start();
  while (await isAdmitted(limiter, 1)) continue;
  for (const requestsPerMs of [1, 5]) {
    bucket.questions = 0;
    for (let ms = 0; ms < 2000; ms++) {
      bucket.at++;
      for (let i = 0; i < requestsPerMs; i++) await isAdmitted(limiter, 1);
    }
    assert(bucket.questions <= 45, `${bucket.questions} questions in 2 s`);
  }
});

Deno.test("take() asks once for many concurrent calls", async () => {
  const { bucket, start } = createBucket({ perSecond: 10, burst: 100 });
  const limiter = start();
  await isAdmitted(limiter, 1);
  bucket.questions = 0;
  const admitted = await Promise.all(Array.from({ length: 50 }, () => isAdmitted(limiter, 1)));
  assert(admitted.every(Boolean));
  assert(bucket.questions <= 2, `${bucket.questions} questions`);
});

Deno.test("take() admits small requests beside a large one that the bucket cannot serve", async () => {
  const { start } = createBucket({ perSecond: 10, burst: 100 });
  const limiter = start();
  await limiter.take("w", 90);
  const admitted = await Promise.all([60, 3, 4].map((count) => isAdmitted(limiter, count)));
  assert.deepEqual(admitted, [false, true, true]);
});

Deno.test("take() holds at most a twentieth of a second's unused tokens", async () => {
  const { bucket, start } = createBucket({ perSecond: 1000, burst: 10_000 });
  const limiter = start();
  let taken = 0;
  for (const count of [1, 500, 1, 1, 7, 60, 1]) {
    if (await isAdmitted(limiter, count)) taken += count;
    assert(bucket.granted - taken <= 50);
  }
});

Deno.test("take() admits a request larger than the bucket when the bucket is full", async () => {
  const { bucket, start } = createBucket({ perSecond: 10, burst: 50 });
  const limiter = start();
  await isAdmitted(limiter, 1);
  bucket.at += 10_000;
  assert(await isAdmitted(limiter, 80));
  assert(!await isAdmitted(limiter, 1));
});

Deno.test("take() stays within 10 % of the quota over ten minutes of requests larger than the bucket", async () => {
  const { bucket, start } = createBucket({ perSecond: 50, burst: 1000 });
  const limiter = start();
  let admitted = 0;
  for (let second = 0; second < 600; second++) {
    // One token before it is known how many it takes, and the rest afterwards.
    if (await isAdmitted(limiter, 1)) {
      if (await isAdmitted(limiter, 2499, 1)) admitted += 2500;
      else limiter.giveBack("w", 1);
    }
    bucket.at += 1000;
  }
  const quota = 50 * 600;
  assert(Math.abs(admitted - quota) <= quota / 10, `${admitted} admitted of ${quota}`);
});

Deno.test("take() reports the wait after a request larger than the bucket", async () => {
  const { bucket, start } = createBucket({ perSecond: 10, burst: 50 });
  const limiter = start();
  assert.deepEqual(await limiter.take("w", 80), { limit: 50, remaining: 0, resetSeconds: 8 });
  const error = await refusal(limiter, 1);
  assert.equal(error.headers["Retry-After"], "4");
  assert.equal(error.headers["RateLimit-Remaining"], "0");
  bucket.at += 3000;
  assert(!await isAdmitted(limiter, 1));
  bucket.at += 1000;
  assert(await isAdmitted(limiter, 1));
});

Deno.test("giveBack() returns unused tokens", async () => {
  const { start } = createBucket({ perSecond: 1, burst: 10 });
  const limiter = start();
  await limiter.take("w", 10);
  limiter.giveBack("w", 4);
  assert(await isAdmitted(limiter, 4));
  assert(!await isAdmitted(limiter, 1));
});

Deno.test("take() admits requests while the state is unreachable and asks again after a second", async () => {
  const told: unknown[] = [];
  const clock = { at: 0, questions: 0 };
  const limiter = createRateLimiter({
    bucket: "ingest",
    now: () => new Date(clock.at),
    onUnreachable: (error) => told.push(error),
    takeTokens: () => {
      clock.questions++;
      return Promise.reject(new Error("gone"));
    },
  });
  for (let i = 0; i < 10; i++) assert.equal(await limiter.take("w", 1), undefined);
  assert.equal(clock.questions, 1);
  assert.equal(told.length, 1);
  clock.at += 1000;
  await limiter.take("w", 1);
  assert.equal(clock.questions, 2);
});

Deno.test("take() admits requests if the state does not respond in time", async () => {
  const limiter = createRateLimiter({
    bucket: "ingest",
    now: () => new Date(),
    timeoutMs: 1,
    takeTokens: () => new Promise(() => {}),
  });
  assert.equal(await limiter.take("w", 1), undefined);
});

Deno.test("take() refuses a workspace that does not exist", async () => {
  const limiter = createRateLimiter({
    bucket: "ingest",
    now: () => new Date(),
    takeTokens: () => Promise.resolve(undefined),
  });
  assert.equal((await refusal(limiter, 1)).code, "unauthorized");
});

Deno.test("take() stays within 10 % of the quota over a minute at twice the quota", async () => {
  const plan = fc.record({
    perSecond: fc.constantFrom(50, 1000),
    instances: fc.integer({ min: 1, max: 4 }),
    bulk: fc.constantFrom(1, 10),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ perSecond, instances, bulk }) => {
      const { bucket, start } = createBucket({ perSecond, burst: perSecond });
      const limiters = Array.from({ length: instances }, start);
      while (await isAdmitted(limiters[0]!, 1)) continue;
      let admitted = 0;
      const gapMs = 1000 * bulk / (2 * perSecond);
      for (let i = 0; bucket.at < 60_000; i++) {
        if (await isAdmitted(limiters[i % instances]!, bulk)) admitted += bulk;
        bucket.at += gapMs;
      }
      const quota = perSecond * 60;
      assert(Math.abs(admitted - quota) <= quota / 10, `${admitted} of ${quota}`);
    }),
    { numRuns: 10 },
  );
});

Deno.test("chargeRemainingEntries() takes for all entries but the first, and keeps nothing of a refusal", async () => {
  const { start } = createBucket({ perSecond: 10, burst: 50 });
  const limiter = start();
  assert.equal((await limiter.take("w", 1))?.remaining, 49);
  for (const entries of [0, 1]) {
    assert.equal(await chargeRemainingEntries(limiter, { workspaceId: "w", entries }), undefined);
  }
  const state = await chargeRemainingEntries(limiter, { workspaceId: "w", entries: 20 });
  assert.equal(state?.remaining, 30);

  assert.equal((await limiter.take("w", 1))?.remaining, 29);
  await assert.rejects(chargeRemainingEntries(limiter, { workspaceId: "w", entries: 31 }));
  assert.equal((await limiter.take("w", 30))?.remaining, 0);
});

Deno.test("take() refuses requests with limit and plan while the daily bytes are used up", async () => {
  const clock = { at: 0, questions: 0, blockedSeconds: null as number | null };
  const limiter = createRateLimiter({
    bucket: "ingest",
    now: () => new Date(clock.at),
    takeTokens({ wanted }) {
      clock.questions++;
      const { blockedSeconds } = clock;
      const granted = blockedSeconds === null ? wanted : 0;
      const grant = { granted, remaining: 100, perSecond: 1000, burst: 1000 };
      return Promise.resolve({ ...grant, ...unmetered, blockedSeconds });
    },
  });
  assert(await isAdmitted(limiter, 1));
  clock.blockedSeconds = 3600;
  const error = await refusal(limiter, 100);
  assert.equal(
    error.message,
    'Cannot store more: the plan "free" allows 1 GiB a day: retry in 3600 s',
  );
  assert.equal(error.headers["Retry-After"], "3600");
  assert.equal(error.headers["RateLimit-Remaining"], "100");

  // A larger plan takes effect within 10 s, and until then nobody asks.
  clock.blockedSeconds = null;
  const { questions } = clock;
  for (clock.at = 1000; clock.at < 10_000; clock.at += 1000) {
    assert.equal(
      (await refusal(limiter, 1)).headers["Retry-After"],
      String(3600 - clock.at / 1000),
    );
  }
  assert.equal(clock.questions, questions);
  assert(await isAdmitted(limiter, 1));
});
