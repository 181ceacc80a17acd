import assert from "node:assert/strict";
import * as jose from "jose";
import { ApiError } from "../../supabase/functions/_shared/errors.ts";
import { createSessionVerifier } from "../../supabase/functions/api/sessions.ts";

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

function makeVerifier(supabaseUrl: string, known?: Key[]) {
  const jwks = known && JSON.stringify({ keys: known.map(({ jwk }) => jwk) });
  return createSessionVerifier({ supabaseUrl, jwks, now: () => new Date() });
}

Deno.test("createSessionVerifier() asks nobody about a key it was given", async () => {
  const key = await makeKey("a");
  await using project = serveKeys([]);
  const verify = makeVerifier(project.supabaseUrl, [key]);
  const caller = await verify(await sign(key, project.supabaseUrl));
  assert.equal(caller.userId, userId);
  assert.equal(project.countRequests(), 0);
});

Deno.test("createSessionVerifier() fetches a key that was made after it was deployed", async () => {
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
  const verify = makeVerifier(project.supabaseUrl, [key]);
  for (const kid of ["x", "y", "z"]) {
    const forged = await sign({ ...await makeKey(kid), kid }, project.supabaseUrl);
    await assert.rejects(verify(forged), { code: "unauthorized" });
  }
  assert.equal(project.countRequests(), 1);
});

Deno.test("createSessionVerifier() is unavailable, not refusing, when it knows no keys at all", async () => {
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
