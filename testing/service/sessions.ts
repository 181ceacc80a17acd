import * as jose from "jose";

export const supabaseUrl = "http://auth.example";
export const issuer = `${supabaseUrl}/auth/v1`;

/** Stand-in for Supabase Auth: keys, and tokens signed with them. */
export interface TestSessions {
  /** `{ keys }` as JSON. */
  jwks: string;
  /** A token as Supabase Auth issues it, with the given claims and times. */
  sign(userId: string, overrides?: TokenOverrides): Promise<string>;
}

export interface TokenOverrides {
  claims?: jose.JWTPayload;
  issuer?: string;
  audience?: string;
  /** @default in one hour */
  expiresAt?: Date | null;
  /** Another key than the published one. */
  key?: jose.CryptoKey;
}

/** Creates the keys of a stand-in for Supabase Auth. */
export async function createTestSessions(): Promise<TestSessions> {
  const { privateKey, publicKey } = await jose.generateKeyPair("ES256", { extractable: true });
  const jwk = { ...await jose.exportJWK(publicKey), kid: "test", alg: "ES256", use: "sig" };
  return {
    jwks: JSON.stringify({ keys: [jwk] }),
    async sign(userId, overrides = {}) {
      const expiresAt = overrides.expiresAt ?? new Date(Date.now() + 3_600_000);
      const token = new jose.SignJWT({
        role: "authenticated",
        email: `${userId}@example.com`,
        ...overrides.claims,
      })
        .setProtectedHeader({ alg: "ES256", typ: "JWT", kid: "test" })
        .setSubject(userId)
        .setIssuer(overrides.issuer ?? issuer)
        .setAudience(overrides.audience ?? "authenticated")
        .setIssuedAt(new Date(Date.now() - 1000));
      if (overrides.expiresAt !== null) token.setExpirationTime(expiresAt);
      return await token.sign(overrides.key ?? privateKey);
    },
  };
}

/** A key pair that nobody published. */
export async function createForgersKey(): Promise<jose.CryptoKey> {
  return (await jose.generateKeyPair("ES256")).privateKey;
}

/** The claims of a token under another header, signed with what the header calls for. */
export async function forge(
  token: string,
  { alg, secret }: { alg: "none" | "HS256"; secret?: string },
): Promise<string> {
  const claims = jose.decodeJwt(token);
  if (alg === "none") return new jose.UnsecuredJWT(claims).encode();
  return await new jose.SignJWT(claims)
    .setProtectedHeader({ alg, typ: "JWT", kid: "test" })
    .sign(new TextEncoder().encode(secret));
}
