import assert from "node:assert/strict";
import * as jose from "jose";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createSessionVerifier } from "../../supabase/functions/api/kernel/sessions.ts";

const silent = createLog({ name: "test", write: () => {} });
const userId = "6f0e1a52-6a0a-4f0e-9d35-0c6b1f0f6a11";

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await jose.generateKeyPair("ES256", { extractable: true });
  return { kid, privateKey, jwk: { ...await jose.exportJWK(publicKey), kid, alg: "ES256" } };
}

type Key = Awaited<ReturnType<typeof makeKey>>;

function sign({ kid, privateKey }: Key, supabaseUrl: string): Promise<string> {
  return new jose.SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "ES256", kid })
    .setSubject(userId)
    .setIssuer(`${supabaseUrl}/auth/v1`)
    .setAudience("authenticated")
    .setExpirationTime("1h")
    .sign(privateKey);
}

/** A project whose Auth publishes these keys. */
function serveKeys(keys: Key[]) {
  let requests = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    requests++;
    return Response.json({ keys: keys.map(({ jwk }) => jwk) });
  });
  return {
    supabaseUrl: `http://127.0.0.1:${server.addr.port}`,
    countRequests: () => requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function makeVerifier(supabaseUrl: string, known?: Key[], now = () => new Date()) {
  const jwks = known && JSON.stringify({ keys: known.map(({ jwk }) => jwk) });
  return createSessionVerifier({ supabaseUrl, jwks, now, log: silent });
}

Deno.test("createSessionVerifier() uses a configured key without a request", async () => {
  const key = await makeKey("a");
  await using project = serveKeys([]);
  const verify = makeVerifier(project.supabaseUrl, [key]);
  const caller = await verify(await sign(key, project.supabaseUrl));
  assert.equal(caller.userId, userId);
  assert.equal(project.countRequests(), 0);
});

Deno.test("createSessionVerifier() fetches a key created after its deployment", async () => {
  const [old, next] = [await makeKey("old"), await makeKey("next")];
  await using project = serveKeys([old, next]);
  const verify = makeVerifier(project.supabaseUrl, [old]);
  const token = await sign(next, project.supabaseUrl);
  for (const _ of [1, 2, 3]) assert.equal((await verify(token)).userId, userId);
  assert.equal(project.countRequests(), 1);
});

Deno.test("createSessionVerifier() does not fetch again for every forged key id", async () => {
  const key = await makeKey("real");
  await using project = serveKeys([key]);
  const at = new Date();
  const verify = makeVerifier(project.supabaseUrl, [key], () => at);
  const forger = await makeKey("forged");
  for (let i = 0; i < 20; i++) {
    const forged = await sign({ ...forger, kid: String(i) }, project.supabaseUrl);
    await assert.rejects(verify(forged), { code: "unauthorized" });
  }
  assert.equal(project.countRequests(), 5);
});

Deno.test("createSessionVerifier() follows two rotations at once", async () => {
  const [first, second, third] = [await makeKey("1"), await makeKey("2"), await makeKey("3")];
  const published = [first];
  await using project = serveKeys(published);
  const verify = makeVerifier(project.supabaseUrl, [first]);
  for (const key of [second, third]) {
    published.push(key);
    assert.equal((await verify(await sign(key, project.supabaseUrl))).userId, userId);
  }
});

Deno.test("createSessionVerifier() accepts a revoked key for at most ten minutes", async () => {
  const [revoked, current] = [await makeKey("revoked"), await makeKey("current")];
  await using project = serveKeys([current]);
  let at = Date.now();
  const verify = makeVerifier(project.supabaseUrl, [revoked], () => new Date(at));
  const token = await sign(revoked, project.supabaseUrl);
  await verify(token);
  at += 10 * 60_000;
  await assert.rejects(verify(token), { code: "unauthorized" });
});

Deno.test("createSessionVerifier() uses its known keys while Auth is down", async () => {
  const key = await makeKey("known");
  const { supabaseUrl } = await (async () => {
    await using project = serveKeys([key]);
    return project;
  })();
  let at = Date.now();
  const verify = makeVerifier(supabaseUrl, [key], () => new Date(at));
  const token = await sign(key, supabaseUrl);
  at += 11 * 60_000;
  assert.equal((await verify(token)).userId, userId);
});

Deno.test("createSessionVerifier() names the algorithm of a project with a shared secret", async () => {
  const lines: string[] = [];
  const log = createLog({ name: "api", write: (line) => void lines.push(line) });
  const verify = createSessionVerifier({
    supabaseUrl: "http://auth.example",
    jwks: '{"keys":[]}',
    now: () => new Date(),
    log,
  });
  const token = await new jose.SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256" }).setSubject(userId).sign(new Uint8Array(32));
  for (const _ of [1, 2]) {
    await assert.rejects(verify(token), {
      code: "unauthorized",
      message:
        'Session token is signed with "HS256": the project needs an asymmetric JWT signing key',
    });
  }
  assert.equal(lines.length, 1);
  assert.equal(JSON.parse(lines[0]!).algorithm, "HS256");
});

Deno.test("createSessionVerifier() throws unavailable, not unauthorized, without any keys", async () => {
  const key = await makeKey("a");
  const supabaseUrl = await (async () => {
    await using project = serveKeys([key]);
    return project.supabaseUrl;
  })();
  const token = await sign(key, supabaseUrl);
  await assert.rejects(
    makeVerifier(supabaseUrl)(token),
    (error) => error instanceof ApiError && error.code === "unavailable",
  );
  const other = await makeKey("b");
  await assert.rejects(makeVerifier(supabaseUrl, [other])(token), { code: "unauthorized" });
});
