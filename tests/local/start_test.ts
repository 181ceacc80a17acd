import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { findFreePort } from "../../local/postgres/ports.ts";
import { stopOrphan } from "../../local/postgres/postgres_orphan.ts";
import type { StackInfo } from "../../local/stack.ts";
import {
  makeMigratedDir,
  removeDataDir,
  runStart,
  startTestStack,
} from "../../testing/service/stack.ts";

Deno.test("start writes local.json for its owner only, with the keys that were promised", async () => {
  await using stack = await startTestStack({ isEmpty: true });
  assert.deepEqual(Object.keys(stack.info), [
    "base_url",
    "db_url",
    "publishable_key",
    "secret_key",
    "dispatch_key",
    "workspace_id",
    "api_key",
    "user",
    // Only with several cells.
    ...stack.info.cell_db_urls === undefined ? [] : ["cell_db_urls"],
  ]);
  assert.deepEqual(Object.keys(stack.info.user), ["email", "password"]);
  const { mode } = await Deno.stat(join(stack.dataDir, "local.json"));
  assert.equal((mode ?? 0) & 0o777, 0o600);
});

Deno.test("start leaves no process behind when it is stopped", async () => {
  await using stack = await startTestStack();
  const pid = serverProcess(stack.dataDir);
  assert.equal(await stack.stop(), 0);
  assert.throws(() => Deno.kill(pid, "SIGCONT"), Deno.errors.NotFound);
  await assert.rejects(fetch(stack.info.base_url));
});

Deno.test("start finds its data, login and keys again", async () => {
  const dataDir = await Deno.makeTempDir();
  const first = await startTestStack({ dataDir });
  await storeNote(first.info.db_url);
  await first.stop();
  await using second = await startTestStack({ dataDir });
  report(`second start: ready after ${second.startSeconds.toFixed(1)} s`);
  await assertNote(second.info.db_url);
  const keep = ({ base_url: _, db_url: _db, cell_db_urls: _cells, ...kept }: StackInfo) => kept;
  assert.deepEqual(keep(second.info), keep(first.info));
  await second.stop();
  await removeDataDir(dataDir);
});

Deno.test("start finds committed data after the service was killed", async () => {
  const dataDir = await makeMigratedDir();
  const first = await startTestStack({ dataDir });
  await storeNote(first.info.db_url);
  await first.kill();
  await using second = await startTestStack({ dataDir });
  await assertNote(second.info.db_url);
  await second.stop();
  await removeDataDir(dataDir);
});

Deno.test("start takes over from a database server that was left behind", async () => {
  const dataDir = await makeMigratedDir();
  const first = await startTestStack({ dataDir });
  await storeNote(first.info.db_url);
  const pid = serverProcess(dataDir);
  // The server's parent, which would have ended it.
  Deno.kill(await parentOf(pid), "SIGKILL");
  await first.kill();
  Deno.kill(pid, "SIGCONT");
  await using second = await startTestStack({ dataDir });
  await assertNote(second.info.db_url);
  await second.stop();
  await removeDataDir(dataDir);
});

Deno.test("stopOrphan() spares a server of another directory that has the leftover number", async () => {
  await using stack = await startTestStack();
  const cluster = join(stack.dataDir, "postgres", "cluster");
  const data = await Deno.makeTempDir();
  for (const name of ["postmaster.opts", "postmaster.pid"]) {
    await Deno.copyFile(join(cluster, name), join(data, name));
  }
  await stopOrphan(data);
  await storeNote(stack.info.db_url);
  assert.deepEqual(Array.from(Deno.readDirSync(data), ({ name }) => name), ["postmaster.opts"]);
  await Deno.remove(data, { recursive: true });
});

Deno.test("start finds committed data after all its processes were killed", async () => {
  const dataDir = await makeMigratedDir();
  const first = await startTestStack({ dataDir });
  await storeNote(first.info.db_url);
  const pid = serverProcess(dataDir);
  Deno.kill(await parentOf(pid), "SIGKILL");
  Deno.kill(pid, "SIGKILL");
  await first.kill();
  await using second = await startTestStack({ dataDir });
  await assertNote(second.info.db_url);
  await second.stop();
  await removeDataDir(dataDir);
});

Deno.test("start --fresh forgets the data of earlier runs", async () => {
  const dataDir = await makeMigratedDir();
  const first = await startTestStack({ dataDir });
  await storeNote(first.info.db_url);
  await first.kill();
  await using second = await startTestStack({ dataDir, args: ["--fresh"] });
  const sql = postgres(second.info.db_url, { max: 1 });
  const [found] = await sql`select to_regclass('public.notes') as notes`;
  await sql.end();
  assert.equal(found?.notes, null);
  assert.notEqual(second.info.api_key, first.info.api_key);
  await second.stop();
  await removeDataDir(dataDir);
});

Deno.test("start listens on the highest port, with the database on another", async () => {
  await using stack = await startTestStack({ args: ["--port", "65535"] });
  assert.equal(stack.info.base_url, "http://127.0.0.1:65535");
  await storeNote(stack.info.db_url);
});

Deno.test("start explains in one sentence why it cannot start", async (t) => {
  await using stack = await startTestStack();
  const dataDir = await Deno.makeTempDir();
  const port = new URL(stack.info.base_url).port;
  const cases = [
    {
      name: "a port in use",
      command: { dataDir, env: { PORT: port } },
      stderr: `Cannot listen on port ${port}: it is in use, choose another with --port\n`,
    },
    {
      name: "a locked data directory",
      command: { dataDir: stack.dataDir },
      stderr: `Cannot use data directory "${stack.dataDir}": another start ` +
        `(process ${stack.pid}) is running on it\n`,
    },
    {
      name: "an unknown flag",
      command: { dataDir, args: ["--prot", "1"] },
      stderr: "Cannot read the flags: Unknown option '--prot' (--help lists them)\n",
    },
  ];
  for (const { name, command, stderr } of cases) {
    await t.step(name, async () => {
      const ended = await runStart(command);
      assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 1, stderr });
    });
  }
  await t.step("an unreachable database", async () => {
    const url = `postgresql://postgres:secret@127.0.0.1:${findFreePort()}/postgres`;
    const ended = await runStart({ dataDir, args: ["--database-url", url] });
    assert.equal(ended.code, 1);
    assert.match(
      ended.stderr,
      /^Cannot reach the database at "127\.0\.0\.1:\d+\/postgres": .*ECONNREFUSED.*\n$/,
    );
    assert.doesNotMatch(ended.stderr, /secret/);
  });
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("start --help lists every flag and starts nothing", async () => {
  const dataDir = await Deno.makeTempDir();
  const { code, stdout } = await runStart({ dataDir, args: ["--help"] });
  assert.equal(code, 0);
  for (const flag of ["--port", "--data-dir", "--database-url", "--fresh"]) {
    assert.ok(stdout.includes(flag), flag);
  }
  assert.deepEqual(Array.from(Deno.readDirSync(dataDir)), []);
  await Deno.remove(dataDir);
});

function serverProcess(dataDir: string): number {
  const file = join(dataDir, "postgres", "cluster", "postmaster.pid");
  return Number(readFileSync(file, "utf8").split("\n")[0]);
}

async function parentOf(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "ppid=", "-p", `${pid}`] })
    .output();
  return Number(new TextDecoder().decode(stdout));
}

async function storeNote(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`create table public.notes (text text)`;
  await sql`insert into public.notes values ('kept')`;
  await sql.end();
}

async function assertNote(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const rows = await sql`select text from public.notes`;
  await sql.end();
  assert.deepEqual(rows.map(({ text }) => text), ["kept"]);
}

function report(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
