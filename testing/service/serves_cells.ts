import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { prepareCells } from "../../local/prepare_cells.ts";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";
import { createApiKey, createWorkspace } from "../data/factories.ts";
import { startOwnServer } from "../postgres/own_server.ts";
import type { Pooler } from "../postgres/pooler.ts";
import { startTrack, type TrackInstance } from "./app.ts";

const login = "track_login";
const password = "of-a-login";

/** A pooler in front of the databases of two cells. */
export interface PooledCells {
  pooler: Pooler;
  /** Names under which the pooler serves the two databases. */
  names: readonly [string, string];
}

/** Starts a pooler in transaction mode, with two connections per database. */
export type StartPooledCells = (
  urls: readonly [string, string],
  logins: Record<string, string>,
) => Promise<PooledCells>;

/**
 * Checks that each entry reaches its own cell through one pooler, and that callers get 503 while the
 * pooler is down.
 */
export async function checkServesCells(
  t: Deno.TestContext,
  startPooledCells: StartPooledCells,
): Promise<void> {
  await using server = await startOwnServer();
  const [cellUrl] = (await prepareCells(server.db.url, 2)).values();
  const other = postgres(cellUrl!, { max: 2, fetch_types: false, onnotice: () => {} });
  try {
    await server.db.sql.unsafe(readLogins());
    const started = await startPooledCells([server.db.url, cellUrl!], { [login]: password });
    await using pooler = started.pooler;
    const cells = [
      { cell: "00", sql: server.db.sql },
      { cell: "01", sql: other },
    ];
    const keys = await Promise.all(cells.map(async ({ cell, sql }) => {
      return await createApiKey(sql, { cell, workspaceId: await createWorkspace(sql) });
    }));
    const [url, otherUrl] = started.names.map((name) => pooler.urlOf(login, name));
    await using track = startTrack({
      url: url!,
      otherCells: new Map([["01", otherUrl!]]),
      key: keys[0]!,
      pooler: "transaction",
    });

    await t.step("by the cell in the key", async () => {
      const sent = await Promise.all(
        Array.from({ length: 40 }, (_, n) => send(track, keys[n % 2]!, `in-${n % 2}`)),
      );
      assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([200]));
      for (const [n, { sql }] of cells.entries()) {
        const rows =
          await sql`select name, count(*)::integer as events from public.events group by 1`;
        assert.deepEqual([...rows], [{ name: `in-${n}`, events: 20 }]);
      }
    });

    await t.step("a key of another cell is rejected without a query", async () => {
      const { key } = await generateApiKey("02");
      await pooler.end();
      assert.equal((await send(track, key, "unknown")).status, 401);
    });

    await t.step("an outage of the pooler causes 503 until it is back", async () => {
      const callAll = () => Promise.all(keys.map((key) => send(track, key, "later")));
      // Connections that are still open learn from the first call that the pooler is gone.
      await callAll();
      assert.deepEqual((await callAll()).map(({ status }) => status), [503, 503]);
      await pooler.start();
      let statuses: number[];
      do statuses = (await callAll()).map(({ status }) => status); while (statuses.includes(503));
      assert.deepEqual(statuses, [200, 200]);
    });
  } finally {
    await other.end({ timeout: 1 });
  }
}

/** Returns the statements that create the logins, as documented. */
function readLogins(): string {
  const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");
  const [, statements = ""] = /```sql\n(create role track_login[^`]+)```/.exec(page) ?? [];
  assert.notEqual(statements, "");
  return statements.replaceAll("…", password);
}

function send(track: TrackInstance, key: string, name: string) {
  const headers = { authorization: `Bearer ${key}` };
  return track.send({ external_id: "ada", name }, { headers });
}
