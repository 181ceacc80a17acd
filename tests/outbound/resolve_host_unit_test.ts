import assert from "node:assert/strict";
import { cacheResolveHost } from "../../supabase/functions/_shared/outbound/resolve_host.ts";

function createCounted(ttlMs = 1_000) {
  const asked: string[] = [];
  const clock = { now: 0 };
  const failing = new Set<string>();
  const resolve = cacheResolveHost((hostname) => {
    asked.push(hostname);
    return failing.has(hostname) ? Promise.reject(new Error("none")) : Promise.resolve([hostname]);
  }, { ttlMs, maxEntries: 2, now: () => clock.now });
  return { asked, clock, failing, resolve };
}

Deno.test("cacheResolveHost() resolves once for concurrent attempts, and again after its time", async () => {
  const { asked, clock, resolve } = createCounted();
  await Promise.all([resolve("a"), resolve("a"), resolve("a")]);
  clock.now = 999;
  assert.deepEqual(await resolve("a"), ["a"]);
  assert.equal(asked.length, 1);
  clock.now = 1_000;
  await resolve("a");
  assert.equal(asked.length, 2);
});

Deno.test("cacheResolveHost() does not cache a failure", async () => {
  const { asked, failing, resolve } = createCounted();
  failing.add("a");
  await assert.rejects(resolve("a"));
  failing.delete("a");
  assert.deepEqual(await resolve("a"), ["a"]);
  assert.equal(asked.length, 2);
});

Deno.test("cacheResolveHost() drops the oldest name beyond its limit", async () => {
  const { asked, resolve } = createCounted();
  for (const name of ["a", "b", "c", "b", "c", "a"]) await resolve(name);
  assert.deepEqual(asked, ["a", "b", "c", "a"]);
});
