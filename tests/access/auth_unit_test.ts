import assert from "node:assert/strict";
import {
  createKeyring,
  readBearer,
  requireScope,
} from "../../supabase/functions/_shared/access/auth.ts";
import type { ApiKeyRow } from "../../supabase/functions/_shared/access/api_keys.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { generateApiKey, hashApiKey } from "../../supabase/functions/_shared/access/keys.ts";

function isRefused(code: string) {
  return (error: unknown) => error instanceof ApiError && error.code === code;
}

/** A keyring over a table in memory, with a clock that only moves when told. */
function createWorld({ maxEntries = 10 } = {}) {
  const rows = new Map<string, ApiKeyRow>();
  const world = { at: 1_000_000, lookups: 0 };
  const keyring = createKeyring({
    now: () => new Date(world.at),
    maxEntries,
    lookUp: (hashes) => {
      world.lookups++;
      return Promise.resolve(hashes.map((hash) => rows.get(hash.toHex())));
    },
  });
  const addKey = async (expiresAt: Date | null = null) => {
    const { key, hash } = await generateApiKey();
    const row = {
      id: "id",
      workspaceId: "workspace",
      scopes: ["track:write"],
      expiresAt,
      fillsBrowserIp: true,
    };
    rows.set(hash.toHex(), row);
    return key;
  };
  const revoke = async (key: string) => rows.delete((await hashApiKey(key)).toHex());
  return { world, keyring, addKey, revoke };
}

Deno.test("authenticate() looks a key up once and caches the result for 5 s", async () => {
  const { world, keyring, addKey } = createWorld();
  const key = await addKey();
  for (const at of [0, 1, 4_999]) {
    world.at = 1_000_000 + at;
    assert.equal((await keyring.authenticate(key)).workspaceId, "workspace");
  }
  assert.equal(world.lookups, 1);
  world.at = 1_005_000;
  await keyring.authenticate(key);
  assert.equal(world.lookups, 2);
});

Deno.test("authenticate() refuses a revoked key well within 10 s", async () => {
  const { world, keyring, addKey, revoke } = createWorld();
  const key = await addKey();
  await keyring.authenticate(key);
  await revoke(key);
  world.at += 5_000;
  await assert.rejects(keyring.authenticate(key), isRefused("unauthorized"));
});

Deno.test("authenticate() refuses a key once it expires, cached or not", async () => {
  const { world, keyring, addKey } = createWorld();
  const key = await addKey(new Date(1_000_500));
  await keyring.authenticate(key);
  world.at = 1_000_499;
  await keyring.authenticate(key);
  world.at = 1_000_500;
  await assert.rejects(keyring.authenticate(key), isRefused("unauthorized"));
});

Deno.test("authenticate() shares one lookup between concurrent calls", async () => {
  const { world, keyring, addKey } = createWorld();
  const key = await addKey();
  await Promise.all(Array.from({ length: 50 }, () => keyring.authenticate(key)));
  assert.equal(world.lookups, 1);
});

Deno.test("authenticate() spends no lookup on malformed keys and one on an unknown one", async () => {
  const { world, keyring, addKey } = createWorld();
  const key = await addKey();
  for (const malformed of ["", "pk_", "sk_x", `${key}x`, key.slice(0, -1), key.toUpperCase()]) {
    await assert.rejects(keyring.authenticate(malformed), isRefused("unauthorized"));
  }
  assert.equal(world.lookups, 0);
  const { key: unknown } = await generateApiKey();
  for (let i = 0; i < 3; i++) {
    await assert.rejects(keyring.authenticate(unknown), isRefused("unauthorized"));
  }
  assert.equal(world.lookups, 1);
});

Deno.test("authenticate() keeps known keys through a flood of unknown ones", async () => {
  const { world, keyring, addKey } = createWorld({ maxEntries: 3 });
  const key = await addKey();
  await keyring.authenticate(key);
  for (let i = 0; i < 20; i++) {
    const { key: unknown } = await generateApiKey();
    await assert.rejects(keyring.authenticate(unknown), isRefused("unauthorized"));
  }
  const before = world.lookups;
  await keyring.authenticate(key);
  assert.equal(world.lookups, before);
});

Deno.test("authenticate() drops the oldest key beyond its limit", async () => {
  const { world, keyring, addKey } = createWorld({ maxEntries: 2 });
  const [first, second, third] = [await addKey(), await addKey(), await addKey()];
  for (const key of [first, second, third]) await keyring.authenticate(key);
  const before = world.lookups;
  await keyring.authenticate(third);
  await keyring.authenticate(second);
  assert.equal(world.lookups, before);
  await keyring.authenticate(first);
  assert.equal(world.lookups, before + 1);
});

Deno.test("authenticate() does not cache a failed lookup", async () => {
  const { key } = await generateApiKey();
  let fails = true;
  const keyring = createKeyring({
    now: () => new Date(0),
    lookUp: () => {
      if (fails) return Promise.reject(new Error("gone"));
      return Promise.resolve([{
        id: "id",
        workspaceId: "w",
        scopes: [],
        expiresAt: null,
        fillsBrowserIp: true,
      }]);
    },
  });
  await assert.rejects(keyring.authenticate(key), /gone/);
  fails = false;
  assert.equal((await keyring.authenticate(key)).workspaceId, "w");
});

Deno.test("readBearer() returns the token and refuses any other header", () => {
  assert.equal(readBearer("Bearer pk_x"), "pk_x");
  assert.equal(readBearer("bearer  pk_x"), "pk_x");
  for (const header of [undefined, "", "Bearer", "Bearer ", "Basic cGs6", "pk_x", "Bearer a b"]) {
    assert.throws(() => readBearer(header), isRefused("unauthorized"));
  }
});

Deno.test("requireScope() refuses a key without the scope", () => {
  const key = {
    id: "id",
    workspaceId: "w",
    scopes: new Set(["events:read"]),
    expiresAt: null,
    fillsBrowserIp: true,
  };
  requireScope(key, "events:read");
  assert.throws(() => requireScope(key, "track:write"), isRefused("insufficient_scope"));
});
