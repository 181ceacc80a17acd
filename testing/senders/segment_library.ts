import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Language, prepareLanguage, readSender } from "./libraries.ts";
import { serveTrack } from "../service/served_track.ts";

const guide = readFileSync(
  new URL("../../docs/migrate-from-segment.md", import.meta.url),
  "utf8",
);
const fences: Record<Language, string> = {
  python: "python",
  go: "go",
  java: "java",
  rust: "rust",
  node: "js",
};

/** The whole example of a language, aimed at a service. */
export function readGuide(language: Language, service: { baseUrl: string; key: string }): string {
  const fence = new RegExp(`\`\`\`${fences[language]}\n(.*?)\`\`\``, "s");
  const code = fence.exec(guide)?.[1];
  assert.ok(code, `docs/migrate-from-segment.md has no example in ${fences[language]}`);
  const { baseUrl, key } = service;
  return code.replaceAll("https://<project>.supabase.co", baseUrl).replaceAll("pk_…", key);
}

/** Failure of the first requests of a storm: no service, too many requests, or a lost response. */
type Trouble = "gone" | "slower" | "lost";

interface TestedLibrary {
  /** Name that it calls itself. */
  library: string;
  /** @default no storm */
  storm?: readonly Trouble[];
}

/** Registers the tests of a library: the guide's example, and a storm. */
export function testLibrary(language: Language, { library, storm = [] }: TestedLibrary): void {
  Deno.test(`the example for ${language} in the guide stores what it sends`, async () => {
    const toolchain = await prepareLanguage(language);
    await using served = await serveTrack();
    await toolchain.run(readGuide(language, served));
    assert.deepEqual((await served.readNames()).sort(), ["Order Completed", "identify"]);
    const events = await served.db.sql`
      select e.context, c.email from public.events as e
      join public.identities as i on i.workspace_id = e.workspace_id and i.id = e.identity_id
      join public.customers as c on c.workspace_id = i.workspace_id and c.id = i.customer_id
    `;
    for (const { context, email } of events) {
      assert.equal(context.library.name, library);
      assert.equal(email, "ada@example.com");
    }
  });
  if (storm.length === 0) return;

  Deno.test(`the library for ${language} loses and doubles nothing through a storm`, async () => {
    const toolchain = await prepareLanguage(language);
    await using served = await serveTrack();
    const troubles = [...storm];
    served.weather = async (_, respond) => {
      const trouble = troubles.shift();
      if (trouble === "gone") return new Response("gone", { status: 503 });
      if (trouble === "slower") {
        return new Response("slower", { status: 429, headers: { "retry-after": "1" } });
      }
      const response = await respond();
      return trouble === "lost" ? new Response("lost", { status: 504 }) : response;
    };
    await toolchain.run(await readSender(language), {
      BASE_URL: served.baseUrl,
      WRITE_KEY: served.key,
      COUNT: "200",
      PAUSE_MS: "0",
      RETRY_MS: "0",
    });
    assertArrived(await readArrivals(served.db.sql), { count: 200, library });
    assert.deepEqual(troubles, []);
  });
}

/** Numbered event of a library, as it was stored. */
export interface Arrival {
  number: number;
  /** Milliseconds between the time it was made at, as it says itself, and the time it is stored at. */
  shift: number;
  context: Record<string, unknown> & { library?: { name?: string } };
}

/** The numbered events of a database, or of one workspace. */
export async function readArrivals(
  // deno-lint-ignore no-explicit-any -- any client of postgres.js
  sql: any,
  workspaceId?: string,
): Promise<Arrival[]> {
  return await sql`
    select
      (properties ->> 'number')::int as number, context,
      round(extract(epoch from occurred_at) * 1000 - (properties ->> 'at')::numeric)::float8 as shift
    from public.events
    where properties ? 'number' and workspace_id = coalesce(${workspaceId ?? null}, workspace_id)
  `;
}

/** Each number once, at its true time, with its whole context. */
export function assertArrived(
  arrivals: readonly Arrival[],
  { count, library }: { count: number; library: string },
): void {
  const numbers = arrivals.map(({ number }) => number).sort((a, b) => a - b);
  assert.deepEqual(numbers, Array.from({ length: count }, (_, i) => i));
  for (const { shift, context } of arrivals) {
    assert.ok(Math.abs(shift) <= 1, `a time is off by ${shift} ms`);
    assert.equal(context.library?.name, library);
    assert.equal(context.locale, "de-DE");
  }
}
