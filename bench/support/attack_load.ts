// A hostile tenant, in a process of its own: sends again as soon as it is answered, 429 or not.
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
  const answers = await run(JSON.parse(Deno.args[0] ?? ""));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(answers)));
}

async function run(load: AttackLoad): Promise<Record<string, number>> {
  const attack = attacks[load.name];
  if (attack === undefined) throw new Error(`Cannot attack: "${load.name}" is unknown`);
  const next = await attack.start(load.setUp);
  const answers: Record<string, number> = {};
  const stop = AbortSignal.timeout(load.seconds * 1000);
  let sent = 0;
  const callers = Array.from({ length: attack.callers }, async () => {
    while (!stop.aborted) {
      const { to, path, ...init } = await next(sent++);
      try {
        const answer = await fetch(`${load.urls[to]}${path}`, { ...init, signal: stop });
        await answer.arrayBuffer();
        count(String(answer.status));
        // The attack is what gets past the quota. A gateway stops floods of refused calls.
        if (answer.status === 429) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      } catch {
        if (!stop.aborted) count("failed");
      }
    }
  });
  await Promise.all(callers);
  return answers;

  function count(status: string): void {
    answers[status] = (answers[status] ?? 0) + 1;
  }
}
