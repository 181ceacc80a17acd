import * as jose from "jose";
import { Buffer } from "node:buffer";
import { generateApiKey } from "../supabase/functions/_shared/access/keys.ts";
import { type DataDir, readJson, writeJson } from "./data_dir.ts";

/** Secrets that later starts need, so that sessions, logins and keys stay valid. */
export interface StackState {
  database_password: string;
  /** Of the tokens that only the Auth and Data API see. */
  internal_jwt_secret: string;
  /** Private ES256 key, as JWK, of the tokens that clients see. */
  signing_key: jose.JWK;
  publishable_key: string;
  secret_key: string;
  dispatch_key: string;
  secrets_encryption_key: string;
  /** Null until the database has made the workspace. */
  workspace_id: string | null;
  api_key: string;
  user: { email: string; password: string };
}

export const stateFile = "state.json";

/**
 * The state of this data directory, made up on its first use.
 *
 * @throws Error when the file is damaged, or another program's.
 */
export async function loadState(dir: DataDir): Promise<StackState> {
  const known = readJson<StackState>(dir, stateFile);
  if (known && !isState(known)) {
    throw new Error(
      `Cannot use data directory "${dir.path}": its "${stateFile}" is not of this service, ` +
        "choose another with --data-dir",
    );
  }
  const state = known ?? await createState();
  if (!known) saveState(dir, state);
  return state;
}

export function saveState(dir: DataDir, state: StackState): void {
  writeJson(dir, stateFile, state);
}

/** Returns true if a start has stored its state in this directory. */
export function isOwnState(dir: DataDir): boolean {
  try {
    return isState(readJson(dir, stateFile));
  } catch {
    return false;
  }
}

function isState(value: unknown): boolean {
  return typeof value === "object" && value !== null && "database_password" in value;
}

async function createState(): Promise<StackState> {
  const { privateKey } = await jose.generateKeyPair("ES256", { extractable: true });
  const signingKey = await jose.exportJWK(privateKey);
  return {
    database_password: randomText(24),
    internal_jwt_secret: randomText(48),
    signing_key: { ...signingKey, kid: crypto.randomUUID(), alg: "ES256", use: "sig" },
    publishable_key: `sb_publishable_${randomText(24)}`,
    secret_key: `sb_secret_${randomText(24)}`,
    dispatch_key: `sb_secret_${randomText(24)}`,
    secrets_encryption_key: randomBytes(32).toString("base64"),
    workspace_id: null,
    api_key: (await generateApiKey()).key,
    user: { email: "demo@example.com", password: randomText(12) },
  };
}

function randomText(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

function randomBytes(count: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(count)));
}
