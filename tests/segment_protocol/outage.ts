import { findFreePort } from "../../local/postgres/ports.ts";
import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import { type Language, prepareLanguage, readSender } from "../../testing/senders/libraries.ts";
import { assertArrived, readArrivals } from "../../testing/senders/segment_library.ts";
import { removeDataDir, startTestStack } from "../../testing/service/stack.ts";

/**
 * Four libraries of Segment's send 2,000 events each while the service is down for 70 s in the
 * middle. Prints a line for each: every event must arrive once, at its true time, with its context.
 */
const count = 2000;
const pauseMs = 50;
const beforeMs = 20_000;
const outageMs = 70_000;

const libraries: Partial<Record<Language, string>> = {
  python: "analytics-python",
  go: "analytics-go",
  java: "analytics-java",
  node: "@segment/analytics-node",
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function main(): Promise<boolean> {
  const languages = Object.keys(libraries) as Language[];
  const toolchains = new Map(
    await Promise.all(languages.map(async (each) => [each, await prepareLanguage(each)] as const)),
  );
  const dataDir = await Deno.makeTempDir({ prefix: "signalpost-outage-" });
  // As root, Postgres runs as another user, who must be able to enter.
  await Deno.chmod(dataDir, 0o711);
  const start = { dataDir, args: ["--port", String(findFreePort())] };
  let stack = await startTestStack(start);
  try {
    const env = {
      BASE_URL: stack.info.base_url,
      WRITE_KEY: stack.info.api_key,
      COUNT: String(count),
      PAUSE_MS: String(pauseMs),
      RETRY_MS: "12000",
    };
    const startedAt = Date.now();
    const sending = languages.map(async (language) => {
      const failure = await toolchains.get(language)!.run(await readSender(language), env)
        .then(() => undefined, (error: Error) => error.message);
      return { language, failure, seconds: Math.round((Date.now() - startedAt) / 1000) };
    });
    await pause(beforeMs);
    await stack.stop();
    say(`down after ${Math.round((Date.now() - startedAt) / 1000)} s`);
    await pause(outageMs);
    stack = await startTestStack(start);
    say(`up again after ${Math.round((Date.now() - startedAt) / 1000)} s`);
    const outcomes = await Promise.all(sending);
    return await judge(stack.info.db_url, outcomes);
  } finally {
    await stack.stop();
    await removeDataDir(dataDir);
  }
}

interface Outcome {
  language: Language;
  failure: string | undefined;
  seconds: number;
}

async function judge(url: string, outcomes: readonly Outcome[]): Promise<boolean> {
  const sql = connectDatabase({ url, applicationName: "outage" });
  try {
    const arrivals = await readArrivals(sql);
    const verdicts = outcomes.map(({ language, failure, seconds }) => {
      const library = libraries[language]!;
      const own = arrivals.filter(({ context }) => context.library?.name === library);
      const numbers = new Set(own.map(({ number }) => number));
      const shifted = own.filter(({ shift }) => Math.abs(shift) > 1).length;
      say(
        `${language}: ${numbers.size} of ${count} arrived, ${own.length - numbers.size} doubled, ` +
          `${shifted} at another time, done after ${seconds} s${failure ? `, ${failure}` : ""}`,
      );
      try {
        assertArrived(own, { count, library });
        return failure === undefined;
      } catch (error) {
        say(`  ${(error as Error).message.slice(0, 500)}`);
        return false;
      }
    });
    return verdicts.every(Boolean);
  } finally {
    await sql.end();
  }
}

Deno.exit(await main() ? 0 : 1);
