import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { unauthorized } from "../_shared/auth.ts";
import type { SessionCaller } from "../_shared/db/caller.ts";
import { unavailable } from "../_shared/errors.ts";

export interface SessionsOptions {
  /** Address of the project: `https://<ref>.supabase.co`. */
  supabaseUrl: string;
  /** `{ keys }` as JSON; without it, and for keys it lacks, the project's own set is fetched. */
  jwks?: string | undefined;
  /** @default `<supabaseUrl>/auth/v1` */
  issuer?: string | undefined;
  now: () => Date;
}

/** Tells whose session a token is; throws `unauthorized`. */
export type VerifySession = (token: string) => Promise<SessionCaller>;

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Checks access tokens of Supabase Auth without asking it: signature by an asymmetric key of the
 * project (never a shared secret, never none), issuer, audience, times, and that it is a user's.
 */
export function createSessionVerifier(options: SessionsOptions): VerifySession {
  const { supabaseUrl, now } = options;
  const issuer = options.issuer ?? `${supabaseUrl}/auth/v1`;
  const getKey = createKeyFinder(options);
  return async (token) => {
    const { payload } = await jwtVerify(token, getKey, {
      issuer,
      audience: "authenticated",
      algorithms: ["ES256", "RS256"],
      requiredClaims: ["exp", "sub"],
      currentDate: now(),
      clockTolerance: 5,
    }).catch((cause) => {
      throw describeFailure(cause);
    });
    const { sub = "", role } = payload;
    if (role !== "authenticated" || !uuidForm.test(sub)) {
      throw unauthorized("Session token is not a user's");
    }
    return { kind: "session", userId: sub, claims: payload };
  };
}

function createKeyFinder({ supabaseUrl, jwks }: SessionsOptions): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(`${supabaseUrl}/auth/v1/.well-known/jwks.json`));
  if (jwks === undefined) return remote;
  const local = createLocalJWKSet(JSON.parse(jwks));
  return async (header, token) => {
    try {
      return await local(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // A key that was made after this function was deployed, or a forgery.
      return await remote(header, token).catch(() => {
        throw error;
      });
    }
  };
}

function describeFailure(cause: unknown): unknown {
  if (cause instanceof errors.JWTExpired) return unauthorized("Session token is expired");
  const isUnreachable = !(cause instanceof errors.JOSEError) ||
    cause.code === "ERR_JWKS_TIMEOUT" || cause.code === "ERR_JOSE_GENERIC";
  if (isUnreachable) return unavailable("Keys of session tokens cannot be fetched", cause);
  return unauthorized("Session token is malformed or not from this service");
}
