// A hostile tenant, in a process of its own: sends again after every response, 429 or not.
import { attacks } from "./attacks.ts";

/** Load to send, given as JSON in the first argument. Prints how often each status came back. */
export interface AttackLoad {
  name: string;
  /** Result of the attack's `prepare`. */
  setUp: unknown;
  /** Address of each function, by its name. */
  urls: Record<string, string>;
  seconds: number;
}

const pauseMs = 100;

if (import.meta.main) {
  const responses = await run(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(responses)));
}

async function run(load: AttackLoad): Promise<Record<string, number>> {
  const attack = attacks[load.name];
  if (attack === undefined) throw new Error(`Cannot attack: "${load.name}" is unknown`);
  const next = await attack.start(load.setUp);
  const responses: Record<string, number> = {};
  const stop = AbortSignal.timeout(load.seconds * 1000);
  let sent = 0;
  const callers = Array.from({ length: attack.callers }, async () => {
    while (!stop.aborted) {
      const { to, path, ...init } = await next(sent++);
      try {
        const response = await fetch(`${load.urls[to]}${path}`, { ...init, signal: stop });
        await response.arrayBuffer();
        count(String(response.status));
        // The attack is what gets past the quota. A gateway stops floods of refused calls.
        if (response.status === 429) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      } catch {
        if (!stop.aborted) count("failed");
      }
    }
  });
  await Promise.all(callers);
  return responses;

  function count(status: string): void {
    responses[status] = (responses[status] ?? 0) + 1;
  }
}
