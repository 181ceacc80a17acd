import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";

Deno.test("every erasure step names a function that works one batch", async () => {
  await using db = await createTestDatabase();
  const rows = await db.sql<{ step: string; result: string | null }[]>`
    select s.step, p.prorettype::regtype::text as result
    from private.erasure_steps as s
    left join pg_proc as p on p.oid = to_regprocedure(
      s.function_name || '(private.erasures, integer, timestamptz)'
    )`;
  assert(rows.length > 5);
  for (const { step, result } of rows) assert.equal(result, "private.erasure_progress", step);
});

Deno.test("a registered erasure step runs at its position without other changes", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  await sql.unsafe(`
    create function private.erase_notes(private.erasures, integer, timestamptz)
    returns private.erasure_progress language plpgsql as $$
    begin
      raise exception 'Notes of %', $1.customer_id;
    end
    $$;
    insert into private.erasure_steps (subject, position, step, function_name)
    values ('customer', 11, 'notes', 'private.erase_notes')`);
  await sql`
    insert into private.erasures (workspace_id, customer_id, step)
    values (${workspaceId}, gen_random_uuid(), 'events')`;
  await sql`select private.run_frequent_tasks()`;
  const rows = await sql`select step from private.erasures`;
  assert.deepEqual([...rows], [{ step: "notes" }]);
});

Deno.test("a periodic task runs with its interval, batch after batch while they are full", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  await sql.unsafe(`
    create table public.batches (n integer);
    create function private.work_batch(p_limit integer) returns integer language plpgsql as $$
    begin
      insert into public.batches values (p_limit);
      return case when (select count(*) from public.batches) < 3 then p_limit else 0 end;
    end
    $$;
    insert into private.periodic_tasks (name, every, position, call, batch_size, max_batches)
    values ('work', '10 seconds', 1, 'private.work_batch($1)', 7, 5)`);
  await sql`select ops.run_hourly_tasks()`;
  assert.equal((await sql`select from public.batches`).length, 0);
  await sql`select private.run_frequent_tasks()`;
  assert.deepEqual([...await sql`select n from public.batches`], [{ n: 7 }, { n: 7 }, { n: 7 }]);
});

Deno.test("secrets of a new kind of owner are counted, re-encrypted and deleted with all others", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  await sql`create table private.mail_secrets (like private.destination_secrets including all)`;
  await sql`
    insert into private.secret_owners (kind, table_name, owner_column)
    values ('mail', 'private.mail_secrets', 'destination_id')`;
  await sql`
    insert into private.mail_secrets (workspace_id, destination_id, ciphertext, created_at, expires_at)
    select gen_random_uuid(), gen_random_uuid(), 'v1.aaaaaaaa.' || n, now(), expires_at
    from (values (1, null), (2, now() - interval '1 hour')) as s (n, expires_at)`;

  const [counts] = await sql`select secrets, kinds from ops.secret_keys where key_id = 'aaaaaaaa'`;
  assert.deepEqual({ ...counts }, { secrets: "2", kinds: { mail: 2 } });
  assert.deepEqual([...await sql`select private.secret_key_ids() as id`], [{ id: "aaaaaaaa" }]);
  const [count] = await sql`select private.count_secrets(array['aaaaaaaa']) as n`;
  assert.equal(count!.n, 2);

  const stale = await sql<{ kind: string; workspace_id: string; id: string; ciphertext: string }[]>`
    select * from private.stale_secrets('aaaaaaaa', '00000000-0000-0000-0000-000000000000', 1)`;
  assert.deepEqual(stale.map(({ kind }) => kind), ["mail"]);
  const replacements = stale.map((row) => ({ ...row, replacement: "v1.bbbbbbbb.1" }));
  const [replaced] = await sql`
    select private.replace_ciphertexts(${JSON.stringify(replacements)}) as n`;
  assert.equal(replaced!.n, 1);

  const [deleted] = await sql`select private.delete_expired_secrets() as n`;
  assert.equal(deleted!.n, 1);
});
