import * as jose from "jose";

/**
 * Turns the symmetric tokens of the Auth server into the asymmetric ones that hosted projects
 * issue, and back, so that clients and functions meet the same tokens in both places.
 */
export interface TokenExchange {
  jwks: { keys: jose.JWK[] };
  /** Re-signs a token of the Auth server with ES256. */
  toPublic(token: string): Promise<string>;
  /** The reverse; a token that is not ours or expired becomes one that is refused. */
  toInternal(token: string): Promise<string>;
}

export interface TokenExchangeOptions {
  /** Private ES256 key with its `kid`. */
  signingKey: jose.JWK;
  internalSecret: string;
  issuer: string;
}

/** Well-formed, so that it is refused rather than taken for no token at all. */
const refused = "e30.e30.AA";

export async function createTokenExchange(options: TokenExchangeOptions): Promise<TokenExchange> {
  const { d: _, ...publicJwk } = options.signingKey;
  const privateKey = await jose.importJWK(options.signingKey, "ES256");
  const publicKey = await jose.importJWK(publicJwk, "ES256");
  const secret = new TextEncoder().encode(options.internalSecret);
  const header = { alg: "ES256", typ: "JWT", kid: options.signingKey.kid ?? "" };
  return {
    jwks: { keys: [publicJwk] },
    toPublic: async (token) => {
      const { payload } = await jose.jwtVerify(token, secret, { algorithms: ["HS256"] });
      const claims = { ...payload, iss: options.issuer, aal: "aal1", is_anonymous: false };
      return await new jose.SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    },
    toInternal: async (token) => {
      try {
        const { payload } = await jose.jwtVerify(token, publicKey, { algorithms: ["ES256"] });
        return await new jose.SignJWT(payload).setProtectedHeader({ alg: "HS256" }).sign(secret);
      } catch {
        return refused;
      }
    },
  };
}
