import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import { uuidForm } from "../../_shared/ids/uuid.ts";
import type { SessionCaller } from "./caller.ts";
import { unauthorized, unavailable } from "../../_shared/errors/errors.ts";
import type { Log } from "../../_shared/log/log.ts";
import { createKeyFinder } from "./signing_keys.ts";

export interface SessionsOptions {
  /** Base URL of the project: `https://<ref>.supabase.co`. */
  supabaseUrl: string;
  /**
   * `{ keys }` as JSON: used for ten minutes, then replaced by the keys that Supabase Auth
   * publishes.
   */
  jwks?: string | undefined;
  /** @default `<supabaseUrl>/auth/v1` */
  issuer?: string | undefined;
  now: () => Date;
  log: Log;
}

/** Returns the session of a token; throws `unauthorized`. */
export type VerifySession = (token: string) => Promise<SessionCaller>;

const sharedSecretAlgorithms: readonly string[] = ["HS256", "HS384", "HS512"];

/**
 * Verifies access tokens of Supabase Auth without calling it: an asymmetric signature by a key of
 * the project (never a shared secret or `none`), issuer, audience, times, and that the token
 * belongs to a user.
 */
export function createSessionVerifier(options: SessionsOptions): VerifySession {
  const { supabaseUrl, jwks, now, log } = options;
  const issuer = options.issuer ?? `${supabaseUrl}/auth/v1`;
  const url = `${supabaseUrl}/auth/v1/.well-known/jwks.json`;
  const getKey = createKeyFinder({ url, jwks, now });
  const checkAlgorithm = createAlgorithmCheck(log);
  return async (token) => {
    checkAlgorithm(token);
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
    const { sub = "", role, is_anonymous: isAnonymous } = payload;
    if (role !== "authenticated" || !uuidForm.test(sub)) {
      throw unauthorized("Session token does not belong to a user");
    }
    if (isAnonymous === true) {
      throw unauthorized("Session is anonymous: sign in with an e-mail address");
    }
    return { kind: "session", userId: sub, claims: payload };
  };
}

/** Reports a project that still signs with a shared secret, in the response and in the log. */
function createAlgorithmCheck(log: Log): (token: string) => void {
  const told = new Set<string>();
  return (token) => {
    const algorithm = readAlgorithm(token);
    if (algorithm === undefined || !sharedSecretAlgorithms.includes(algorithm)) return;
    if (!told.has(algorithm)) log.warn("session_algorithm", { algorithm });
    told.add(algorithm);
    throw unauthorized(
      `Session token is signed with "${algorithm}": the project needs an asymmetric JWT signing key`,
    );
  };
}

function readAlgorithm(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}

function describeFailure(cause: unknown): unknown {
  if (cause instanceof errors.JWTExpired) return unauthorized("Session token is expired");
  const isUnreachable = !(cause instanceof errors.JOSEError) || cause.code === "ERR_JWKS_INVALID";
  if (isUnreachable) return unavailable("Cannot fetch the keys of session tokens", cause);
  return unauthorized("Session token is malformed or not from this service");
}
