import { existsSync, readdirSync } from "node:fs";
import type { StackState } from "./state.ts";

/** Responds to a request whose path starts with the function's own name. */
export type EdgeFunction = (request: Request) => Response | Promise<Response>;

interface FunctionModule {
  default: { fetch: EdgeFunction };
}

const folder = new URL("../supabase/functions/", import.meta.url);

/** Imports the `index.ts` of function folders, as the platform deploys them; by name. */
export async function loadFunctions(
  isWanted: (name: string) => boolean,
): Promise<Map<string, EdgeFunction>> {
  const names = readdirSync(folder).filter((name) =>
    !name.startsWith("_") && existsSync(new URL(`${name}/index.ts`, folder)) && isWanted(name)
  );
  const modules = await Promise.all(names.map(async (name) => {
    const module: FunctionModule = await import(new URL(`${name}/index.ts`, folder).href);
    return [name, module.default.fetch] as const;
  }));
  return new Map(modules);
}

/** The parts of the platform's runtime that functions use, besides variables. */
export interface EdgeRuntime {
  /** Tells the functions to end, and resolves when the work they continue with has ended. */
  end(): Promise<void>;
}

/** Lets functions continue with work after they have responded, as the platform does. */
export function provideEdgeRuntime(): EdgeRuntime {
  const works = new Set<Promise<unknown>>();
  const waitUntil = (work: Promise<unknown>) => {
    works.add(work);
    const forget = () => works.delete(work);
    work.then(forget, forget);
  };
  Object.assign(globalThis, { EdgeRuntime: { waitUntil } });
  return {
    async end() {
      dispatchEvent(new Event("beforeunload"));
      await Promise.allSettled(works);
    },
  };
}

/** Calls a function that works in the background, as the database does on the platform. */
export async function callWorker(
  functions: Map<string, EdgeFunction>,
  { name, state }: { name: string; state: StackState },
): Promise<void> {
  const response = await functions.get(name)?.(
    new Request(`http://127.0.0.1/${name}`, {
      method: "POST",
      headers: { apikey: state.dispatch_key },
    }),
  );
  if (response && !response.ok) {
    throw new Error(`Function "${name}" responded with ${response.status}`);
  }
}

/** Sets the variables that the platform gives to functions; others keep what the user set. */
export function setFunctionEnvironment(options: {
  baseUrl: string;
  databaseUrl: string;
  /** Addresses of the databases of further cells, by cell. */
  cellUrls: ReadonlyMap<string, string>;
  jwks: { keys: object[] };
  /** Port of the inbox's SMTP server. */
  smtpPort: number;
  state: StackState;
}): void {
  const { state } = options;
  const platform = {
    SUPABASE_URL: options.baseUrl,
    SUPABASE_DB_URL: options.databaseUrl,
    ...options.cellUrls.size > 0 && {
      CELL_DATABASE_URLS: JSON.stringify(Object.fromEntries(options.cellUrls)),
    },
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: state.publishable_key }),
    SUPABASE_SECRET_KEYS: JSON.stringify({
      default: state.secret_key,
      dispatch: state.dispatch_key,
    }),
    SUPABASE_JWKS: JSON.stringify(options.jwks),
    INBOX_SMTP_PORT: `${options.smtpPort}`,
  };
  const defaults = {
    SECRETS_ENCRYPTION_KEY: state.secrets_encryption_key,
    // Receivers under development run on this machine.
    DESTINATION_ALLOWED_CIDRS: "127.0.0.0/8,::1/128",
    // A line a request would bury what the terminal is there to show.
    LOG_LEVEL: "warn",
  };
  for (const [name, value] of Object.entries(platform)) Deno.env.set(name, value);
  for (const [name, value] of Object.entries(defaults)) {
    if (!Deno.env.get(name)) Deno.env.set(name, value);
  }
}
