import { unavailable } from "../../_shared/errors/errors.ts";
import { compiledMjml, type MjmlCompiler } from "../../_shared/templates/compiled_mjml.ts";

export interface MjmlCompilerOptions {
  /** Base URL of the functions: `https://<ref>.supabase.co/functions/v1`. */
  functionsUrl: string;
  /** The secret key named `dispatch`; without it nothing is compiled. */
  key: string | undefined;
  /** @default the global `fetch` */
  fetch?: (request: Request) => Promise<Response>;
  /** Longest wait for the response. @default 5000 */
  timeoutMs?: number;
}

/** Creates the client of the function compile-mjml. */
export function createMjmlCompiler(
  { functionsUrl, key, fetch: send = fetch, timeoutMs = 5_000 }: MjmlCompilerOptions,
): MjmlCompiler {
  return async (source) => {
    try {
      if (key === undefined) throw new Error('Cannot compile MJML: no secret key named "dispatch"');
      const response = await send(
        new Request(`${functionsUrl}/compile-mjml`, {
          method: "POST",
          headers: { "apikey": key, "content-type": "application/json" },
          body: JSON.stringify({ mjml: source }),
          signal: AbortSignal.timeout(timeoutMs),
        }),
      );
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`Cannot compile MJML: compile-mjml responded with ${response.status}`);
      }
      return compiledMjml.parse(await response.json());
    } catch (error) {
      throw unavailable("MJML compiler is unavailable: nothing was stored", error);
    }
  };
}
