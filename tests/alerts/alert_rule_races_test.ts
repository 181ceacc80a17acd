import assert from "node:assert/strict";
import type postgres from "postgres";
import { addMember, createAccount } from "../../testing/data/accounts.ts";
import { addRule, checkAlerts, readAlerts } from "../../testing/data/alerts.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { interleave, lockIsAwaited, type Step } from "../../testing/postgres/locks.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const tables = {
  destination: "public.destinations",
  source: "public.inbound_sources",
  sender: "public.senders",
  journey: "public.journeys",
} as const;
type Kind = keyof typeof tables;

/** Kinds of rules that watch one thing of a kind. */
const watching: Record<Kind, string> = {
  destination: "backlog",
  source: "source_refusing",
  sender: "sender_failing",
  journey: "journey_lag",
};

const texts: Record<Kind, Record<string, string>> = {
  destination: { url: "https://example.com", event_types: "{order_created}" },
  source: { scheme: "service" },
  sender: { provider: "inbox", from_address: "a@acme.example" },
  journey: { definition: "{}" },
};

async function addThing(sql: postgres.Sql, workspaceId: string, kind: Kind): Promise<string> {
  const row = { workspace_id: workspaceId, name: "Thing", ...texts[kind] };
  const [thing] = await sql<{ id: string }[]>`
    insert into ${sql.unsafe(tables[kind])} ${sql(row)} returning id`;
  return thing!.id;
}

const remove = (kind: Kind, id: string): Step => (sql) =>
  sql`delete from ${sql.unsafe(tables[kind])} where id = ${id}`;

const toDestination = (id: string) => ({ type: "destination", destination_id: id });
const toSender = (id: string) => ({ type: "email", sender_id: id, to: ["ops@example.com"] });

const readRules = async (sql: postgres.Sql) => [
  ...await sql<{ id: string; channels: object[] }[]>`
    select id, channels from public.alert_rules order by id`,
];

/** Starts the steps one after the other while a transaction holds rows that they wait for. */
async function runBehind(sql: postgres.Sql, hold: Step, steps: readonly Step[]): Promise<void> {
  const connection = await sql.reserve();
  const running: Promise<unknown>[] = [];
  try {
    await connection`begin`;
    await hold(connection);
    for (const step of steps) {
      running.push(Promise.resolve(step(sql)));
      running.at(-1)!.catch(() => {});
      await lockIsAwaited(sql, running.length);
    }
    await connection`commit`;
    await Promise.all(running);
  } finally {
    await connection`rollback`;
    connection.release();
  }
}

async function createScene() {
  const db = await createTestDatabase();
  const { sql } = db;
  const workspaceId = await createWorkspace(sql);
  return {
    sql,
    workspaceId,
    add: (kind: Kind) => addThing(sql, workspaceId, kind),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

for (const kind of ["destination", "source", "sender", "journey"] as const) {
  const rule = (targetId: string) => ({ kind: watching[kind], targetId });

  Deno.test(`a rule about a ${kind} that is being deleted is refused`, async () => {
    await using scene = await createScene();
    const { sql, workspaceId } = scene;
    const id = await scene.add(kind);
    await assert.rejects(
      interleave(sql, remove(kind, id), (other) => addRule(other, workspaceId, rule(id))),
      { code: "SP400", column_name: "target_id" },
    );
    assert.deepEqual(await readRules(sql), []);
  });

  Deno.test(`a deleted ${kind} takes along a rule that is being created`, async () => {
    await using scene = await createScene();
    const { sql, workspaceId } = scene;
    const id = await scene.add(kind);
    await interleave(sql, (tx) => addRule(tx, workspaceId, rule(id)), remove(kind, id));
    assert.deepEqual(await readRules(sql), []);
  });
}

for (const kind of ["destination", "sender"] as const) {
  const channels = (id: string) => [kind === "sender" ? toSender(id) : toDestination(id)];
  const setChannels = (rule: string, id: string): Step => (sql) =>
    sql`
      update public.alert_rules set channels = ${JSON.stringify(channels(id))}::text::jsonb
      where id = ${rule}`;

  Deno.test(`a new rule with a ${kind} that is being deleted as a channel is refused`, async () => {
    await using scene = await createScene();
    const { sql, workspaceId } = scene;
    const id = await scene.add(kind);
    await assert.rejects(
      interleave(
        sql,
        remove(kind, id),
        (other) => addRule(other, workspaceId, { channels: channels(id) }),
      ),
      { code: "SP400", column_name: "channels" },
    );
    assert.deepEqual(await readRules(sql), []);
  });

  Deno.test(`a deleted ${kind} leaves the channels of a rule that is being created`, async () => {
    await using scene = await createScene();
    const { sql, workspaceId } = scene;
    const id = await scene.add(kind);
    const [rule] = await interleave(
      sql,
      (tx) => addRule(tx, workspaceId, { channels: channels(id) }),
      remove(kind, id),
    );
    assert.deepEqual(await readRules(sql), [{ id: rule, channels: [] }]);
  });

  Deno.test(`a deleted ${kind} leaves the channels of a rule that is being changed`, async () => {
    await using scene = await createScene();
    const { sql, workspaceId } = scene;
    const id = await scene.add(kind);
    const rule = await addRule(sql, workspaceId);
    await interleave(sql, setChannels(rule, id), remove(kind, id));
    assert.deepEqual(await readRules(sql), [{ id: rule, channels: [] }]);
  });

  for (const before of ["no channel", "this channel"]) {
    Deno.test(`PATCH of a rule with ${before} names the field when a ${kind} is being deleted`, async () => {
      await using world = await createApiWorld();
      const { sql, workspaceId } = world;
      const token = await world.createKey(["alerts:write"]);
      const id = await addThing(sql, workspaceId, kind);
      const rule = await addRule(sql, workspaceId, {
        channels: before === "no channel" ? [] : channels(id),
      });
      const patch = () =>
        world.send({
          method: "PATCH",
          path: `/alert-rules/${rule}`,
          token,
          body: { channels: channels(id) },
        });
      const [, { status, body }] = await interleave(sql, remove(kind, id), patch);
      assert.deepEqual([status, body.code, body.details?.[0].field], [
        400,
        "invalid_input",
        "channels",
      ]);
      assert.deepEqual(await readRules(sql), [{ id: rule, channels: [] }]);
    });
  }
}

Deno.test("two destinations whose rules have each other as channels are deleted at once", async () => {
  await using scene = await createScene();
  const { sql, workspaceId } = scene;
  const one = await scene.add("destination");
  const other = await scene.add("destination");
  await addRule(sql, workspaceId, { targetId: one, channels: [toDestination(other)] });
  await addRule(sql, workspaceId, { targetId: other, channels: [toDestination(one)] });
  await runBehind(
    sql,
    (tx) => tx`select from private.alert_checks for update`,
    [remove("destination", one), remove("destination", other)],
  );
  assert.deepEqual(await readRules(sql), []);
});

Deno.test("a destination is deleted while the rule that watches it is changed", async () => {
  await using scene = await createScene();
  const { sql, workspaceId } = scene;
  const id = await scene.add("destination");
  const rule = await addRule(sql, workspaceId, { kind: "destination_disabled", targetId: id });
  await sql`update public.destinations set enabled = false, disabled_by = 'service' where id = ${id}`;
  await checkAlerts(sql, new Date());
  await runBehind(
    sql,
    (tx) => tx`select from public.alerts for update`,
    [
      remove("destination", id),
      (other) => other`update public.alert_rules set threshold = 2 where id = ${rule}`,
    ],
  );
  assert.deepEqual(await readRules(sql), []);
  const alerts = await readAlerts(sql, workspaceId);
  assert.deepEqual(alerts.map((alert) => alert.resolved_by), ["target_deleted"]);
});

Deno.test("a workspace is deleted while one of its destinations is deleted", async () => {
  await using scene = await createScene();
  const { sql, workspaceId } = scene;
  const userId = await createAccount(sql);
  await addMember(sql, { workspaceId, userId, role: "owner" });
  await scene.add("source");
  const id = await scene.add("destination");
  await addRule(sql, workspaceId, { channels: [toDestination(id)] });
  const deleteWorkspace: Step = (other) =>
    other.unsafe(`
      set local role signalpost_user;
      set local request.jwt.claims = '{"sub": "${userId}"}';
      set local signalpost.acting_workspace_id = '${workspaceId}';
      select private.delete_workspace('${workspaceId}')`);
  await runBehind(
    sql,
    (tx) => tx`select from public.alert_rules for update`,
    [deleteWorkspace, remove("destination", id)],
  );
  assert.deepEqual([...await sql`select from public.destinations`], []);
});
