import assert from "node:assert/strict";
import * as jose from "jose";
import { createTokenExchange } from "../../local/platform/tokens.ts";

const internalSecret = "0123456789abcdef0123456789abcdef";
const issuer = "http://127.0.0.1:54321/auth/v1";

async function createExchange() {
  const { privateKey } = await jose.generateKeyPair("ES256", { extractable: true });
  const signingKey = { ...await jose.exportJWK(privateKey), kid: "key-1" };
  return await createTokenExchange({ signingKey, internalSecret, issuer });
}

function signInternally(claims: jose.JWTPayload, secret = internalSecret) {
  return new jose.SignJWT(claims).setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h").sign(new TextEncoder().encode(secret));
}

Deno.test("createTokenExchange() publishes a token that its own keys verify", async () => {
  const exchange = await createExchange();
  const token = await exchange.toPublic(await signInternally({ sub: "user-1" }));
  const keys = jose.createLocalJWKSet({ keys: exchange.jwks.keys });
  const { payload, protectedHeader } = await jose.jwtVerify(token, keys, { issuer });
  assert.equal(payload.sub, "user-1");
  assert.deepEqual([protectedHeader.alg, protectedHeader.kid], ["ES256", "key-1"]);
});

Deno.test("createTokenExchange() publishes no private part of its key", async () => {
  assert.equal("d" in ((await createExchange()).jwks.keys[0] ?? {}), false);
});

Deno.test("createTokenExchange() turns a published token back", async () => {
  const exchange = await createExchange();
  const token = await exchange.toPublic(await signInternally({ sub: "user-1" }));
  const secret = new TextEncoder().encode(internalSecret);
  const { payload } = await jose.jwtVerify(await exchange.toInternal(token), secret);
  assert.equal(payload.sub, "user-1");
});

Deno.test("createTokenExchange() turns foreign tokens into one that nobody accepts", async () => {
  const exchange = await createExchange();
  const other = await createExchange();
  const secret = new TextEncoder().encode(internalSecret);
  const foreign = [
    await other.toPublic(await signInternally({ sub: "user-1" })),
    await signInternally({ sub: "user-1" }),
    "not.a.token",
  ];
  for (const token of foreign) {
    await assert.rejects(jose.jwtVerify(await exchange.toInternal(token), secret));
  }
});
