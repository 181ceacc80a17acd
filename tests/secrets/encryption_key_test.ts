import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import type postgres from "postgres";
import type { StoredSecret } from "../../supabase/functions/webhook-dispatch/stored_secrets.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import {
  createSecretBox,
  type SecretBox,
  type SecretOwner,
} from "../../supabase/functions/_shared/secrets/secrets.ts";
import { generateSecret } from "../../supabase/functions/_shared/secrets/signing.ts";
import {
  createReencrypt,
  type Reencrypt,
} from "../../supabase/functions/webhook-dispatch/reencrypt.ts";
import {
  connectDispatch,
  createDispatchWorld,
  type DispatchWorld,
  type TestDestination,
} from "../../testing/service/dispatch_world.ts";
import { createInboundWorld } from "../../testing/data/inbound.ts";
import type { ReceivedRequest } from "../../testing/receivers/receiver.ts";

const endsAtOnce = { lingerMs: 0, horizonMs: 0 };
const dayMs = 24 * 60 * 60 * 1_000;

function createKey(): string {
  return randomBytes(32).toString("base64");
}

/** Adds destinations in one statement, each with a secret under the world's key. */
async function addDestinations(world: DispatchWorld, count: number): Promise<void> {
  // More than any plan allows.
  await world.sql`update public.plans set max_destinations = ${count + 50}`;
  const { workspaceId, secrets } = world;
  const rows = await Promise.all(Array.from({ length: count }, async () => {
    const id = crypto.randomUUID();
    const owner = { kind: "destination", workspaceId, id } as const;
    return { id, ciphertext: await secrets.encrypt(owner, generateSecret()) };
  }));
  await world.sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as g (id uuid, ciphertext text)
    ), made as (
      insert into public.destinations (workspace_id, id, name, url, event_types)
      select ${workspaceId}, id, 'Test', 'https://receiver.test', '{order_created}' from given
    )
    insert into private.destination_secrets (workspace_id, destination_id, ciphertext)
    select ${workspaceId}, id, ciphertext from given
  `;
}

async function countByKey(sql: postgres.Sql): Promise<Record<string, number>> {
  const rows = await sql<{ key_id: string; secrets: number }[]>`
    select key_id, secrets::integer from ops.secret_keys
  `;
  return Object.fromEntries(rows.map(({ key_id, secrets }) => [key_id, secrets]));
}

/** Ciphertexts by the id of their row. */
async function readCiphertexts(sql: postgres.Sql): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; ciphertext: string }[]>`
    select id, ciphertext from private.list_secrets()
  `;
  return new Map(rows.map(({ id, ciphertext }) => [id, ciphertext]));
}

function isSignedWith(secret: string, { headers, body }: ReceivedRequest): boolean {
  const signature = headers.find(([name]) => name.toLowerCase() === "x-service-signature")?.[1];
  return signature === createHmac("sha256", secret).update(body).digest("hex");
}

/** Deliveries of a dispatcher with these keys, of a message published now. */
async function sendWith(world: DispatchWorld, keys: string): Promise<void> {
  await world.publish("order_created", {});
  await world.makeDispatcher(endsAtOnce, await createSecretBox(keys)).wake();
}

function linesOf({ lines }: DispatchWorld, msg: string) {
  return lines.filter((line) => line.msg === msg);
}

/** Makes one instance with these keys, which encrypts secrets again; the caller disposes of it. */
async function createInstance(
  world: DispatchWorld,
  { box, keys = "" }: { box?: SecretBox; keys?: string },
): Promise<AsyncDisposable & { reencrypt: Reencrypt; runAll(): Promise<number> }> {
  const sql = connectDispatch(world.db.url);
  const log = createLog({ name: "test", write: (line) => void world.lines.push(JSON.parse(line)) });
  const reencrypt = createReencrypt({ sql, log, secrets: box ?? await createSecretBox(keys) });
  return {
    reencrypt,
    async runAll() {
      let total = 0;
      for await (const count of reencrypt()) total += count;
      return total;
    },
    [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }),
  };
}

function ownerOf({ id, workspaceId }: TestDestination): SecretOwner {
  return { kind: "destination", workspaceId, id };
}

async function rotate(
  world: DispatchWorld,
  { id, workspaceId }: TestDestination,
  ciphertext: string,
): Promise<void> {
  await world.sql`
    select private.rotate_destination_secret(
      ${workspaceId}, ${id}, ${ciphertext}, p_now => ${world.clock.now}
    )
  `;
}

/** Number of secrets that decrypt, each for the owner its row names. */
async function countReadable({ sql }: DispatchWorld, box: SecretBox): Promise<number> {
  const rows = await sql<StoredSecret[]>`select * from private.list_secrets()`;
  await Promise.all(
    rows.map(({ kind, workspace_id: workspaceId, owner_id: id, ciphertext }) =>
      box.decrypt({ kind, workspaceId, id }, ciphertext)
    ),
  );
  return rows.length;
}

Deno.test("after a key change, all secrets are re-encrypted and the old key can be removed", async () => {
  await using world = await createDispatchWorld();
  const oldKey = world.encryptionKey;
  const newKey = createKey();
  await using before = await createInboundWorld({ on: world, keys: oldKey });
  const source = await before.createSource();
  const receiver = await world.receive();
  const { secret } = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  const [newId] = (await createSecretBox(newKey)).keyIds;

  await sendWith(world, `${newKey},${oldKey}`);
  assert.deepEqual(await countByKey(world.sql), { [newId]: 2 });
  await sendWith(world, newKey);

  assert.deepEqual(receiver.requests.map((request) => isSignedWith(secret, request)), [true, true]);
  await using after = await createInboundWorld({ on: world, keys: newKey });
  assert.equal((await after.deliver({ source, body: "{}" })).status, 200);
  assert.deepEqual(linesOf(world, "secrets_reencrypted").map(({ secrets }) => secrets), [2]);
  assert.deepEqual(linesOf(world, "secrets_unreadable"), []);
});

Deno.test("secrets under the current key stay unchanged", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  const before = await readCiphertexts(world.sql);

  await sendWith(world, `${world.encryptionKey},${createKey()}`);

  assert.deepEqual(await readCiphertexts(world.sql), before);
  assert.deepEqual(linesOf(world, "secrets_reencrypted"), []);
});

Deno.test("a run cut off after a batch loses nothing, and the next run continues", async () => {
  await using world = await createDispatchWorld();
  await addDestinations(world, 300);
  const keys = `${createKey()},${world.encryptionKey}`;
  const box = await createSecretBox(keys);
  const [newId, oldId] = box.keyIds;
  await using first = await createInstance(world, { keys });
  await using second = await createInstance(world, { keys });

  for await (const count of first.reencrypt()) {
    assert.equal(count, 250);
    break;
  }
  assert.deepEqual(await countByKey(world.sql), { [newId]: 250, [oldId!]: 50 });
  assert.equal(await countReadable(world, box), 300);
  assert.equal(await second.runAll(), 50);

  assert.deepEqual(await countByKey(world.sql), { [newId]: 300 });
  assert.equal(await countReadable(world, box), 300);
});

Deno.test("a run out of time wakes the next one, which re-encrypts the rest", async () => {
  await using world = await createDispatchWorld();
  await addDestinations(world, 300);
  const box = await createSecretBox(`${createKey()},${world.encryptionKey}`);
  const woken = Promise.withResolvers<void>();
  const { unlisten } = await world.sql.listen("webhook_dispatch", () => woken.resolve());

  await world.makeDispatcher({ ...endsAtOnce, maxItems: 1 }, box).wake();
  await woken.promise;
  await unlisten();
  await world.makeDispatcher({ ...endsAtOnce, maxItems: 1 }, box).wake();

  assert.deepEqual(await countByKey(world.sql), { [box.keyIds[0]]: 300 });
});

Deno.test("concurrent instances re-encrypt each secret once", async () => {
  await using world = await createDispatchWorld();
  await addDestinations(world, 600);
  const keys = `${createKey()},${world.encryptionKey}`;
  await using stack = new AsyncDisposableStack();
  const instances = await Promise.all(
    Array.from({ length: 4 }, async () => stack.use(await createInstance(world, { keys }))),
  );

  const counts = await Promise.all(instances.map((instance) => instance.runAll()));
  const left = await instances[0]!.runAll();

  assert.equal(counts.reduce((sum, count) => sum + count, left), 600);
  const box = await createSecretBox(keys);
  assert.deepEqual(await countByKey(world.sql), { [box.keyIds[0]]: 600 });
  assert.equal(await countReadable(world, box), 600);
});

Deno.test("a rotation between reading and replacing keeps its secret and the old one's expiry", async () => {
  await using world = await createDispatchWorld();
  const destination = await world.addDestination();
  const owner = ownerOf(destination);
  const box = await createSecretBox(`${createKey()},${world.encryptionKey}`);
  const next = generateSecret();
  await using instance = await createInstance(world, {
    box: {
      ...box,
      async reencrypt(of, encrypted) {
        await rotate(world, destination, await world.secrets.encrypt(owner, next));
        return await box.reencrypt(of, encrypted);
      },
    },
  });

  await instance.runAll();

  const rows = await world.sql<{ ciphertext: string; expires_at: Date | null }[]>`
    select ciphertext, expires_at from private.destination_secrets order by expires_at
  `;
  const secrets = await Promise.all(rows.map((row) => box.decrypt(owner, row.ciphertext)));
  assert.deepEqual(secrets, [destination.secret, next]);
  assert.deepEqual(rows.map((row) => row.expires_at === null), [false, true]);
});

Deno.test("a secret that changed between reading and replacing is not overwritten", async () => {
  await using world = await createDispatchWorld();
  const owner = ownerOf(await world.addDestination());
  const box = await createSecretBox(`${createKey()},${world.encryptionKey}`);
  const newer = await world.secrets.encrypt(owner, "newer");
  await using instance = await createInstance(world, {
    box: {
      ...box,
      async reencrypt(of, encrypted) {
        await world.sql`update private.destination_secrets set ciphertext = ${newer}`;
        return await box.reencrypt(of, encrypted);
      },
    },
  });

  assert.equal(await instance.runAll(), 0);

  assert.deepEqual([...(await readCiphertexts(world.sql)).values()], [newer]);
});

Deno.test("a secret locked by a rotation is skipped until the next run", async () => {
  await using world = await createDispatchWorld();
  const held = await world.addDestination();
  await world.addDestination();
  const keys = `${createKey()},${world.encryptionKey}`;
  await using instance = await createInstance(world, { keys });

  await world.sql.begin(async (tx) => {
    await tx`
      update private.destination_secrets set expires_at = now() + interval '1 day'
      where destination_id = ${held.id}
    `;
    assert.equal(await instance.runAll(), 1);
  });

  assert.equal(await instance.runAll(), 1);
});

Deno.test("without the old key nothing is lost, and unreadable secrets are reported once", async () => {
  await using world = await createDispatchWorld();
  await world.addDestination();
  await world.addDestination();
  const before = await readCiphertexts(world.sql);
  const newKey = createKey();
  await using wrong = await createInstance(world, { keys: `${newKey},${createKey()}` });

  await wrong.runAll();
  await wrong.runAll();

  const [oldId] = world.secrets.keyIds;
  const lines = linesOf(world, "secrets_unreadable");
  assert.deepEqual(lines.map(({ secrets, key_ids }) => [secrets, key_ids]), [[2, [oldId]]]);
  assert.deepEqual(await readCiphertexts(world.sql), before);
  await using right = await createInstance(world, { keys: `${newKey},${world.encryptionKey}` });
  assert.equal(await right.runAll(), 2);
});

Deno.test("secrets swapped between rows sign nothing, and are reported and left unchanged", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const [one, other] = [await world.addDestination({ url }), await world.addDestination({ url })];
  await world.addDestination({ url });
  await world.sql`
    update private.destination_secrets as s set ciphertext = o.ciphertext
    from private.destination_secrets as o
    where s.destination_id in (${one.id}, ${other.id})
      and o.destination_id in (${one.id}, ${other.id}) and o.id <> s.id
  `;

  const swapped = await readCiphertexts(world.sql);
  await sendWith(world, `${createKey()},${world.encryptionKey}`);

  assert.equal(receiver.requests.length, 1);
  assert.equal(linesOf(world, "sign_failed").length, 2);
  assert.deepEqual(linesOf(world, "secrets_unreadable").map(({ secrets }) => secrets), [2]);
  const after = await readCiphertexts(world.sql);
  const kept = [...swapped].filter(([id, ciphertext]) => after.get(id) === ciphertext);
  assert.equal(kept.length, 2);
});

Deno.test("a batch of unreadable secrets does not stop the others from being re-encrypted", async () => {
  await using world = await createDispatchWorld();
  await addDestinations(world, 260);
  await world.sql`
    update private.destination_secrets as s set ciphertext = s.ciphertext || 'AAAA'
    where s.id in (select d.id from private.destination_secrets as d order by d.id limit 250)
  `;
  const keys = `${createKey()},${world.encryptionKey}`;
  await using instance = await createInstance(world, { keys });

  assert.equal(await instance.runAll(), 10);

  assert.deepEqual(linesOf(world, "secrets_unreadable").map(({ secrets }) => secrets), [250]);
});

Deno.test("a key change logs neither secret nor ciphertext nor key", async () => {
  await using world = await createDispatchWorld();
  const { secret } = await world.addDestination();
  const newKey = createKey();
  const ciphertexts = [...(await readCiphertexts(world.sql)).values()];

  await sendWith(world, newKey);
  await sendWith(world, `${newKey},${world.encryptionKey}`);

  const logged = JSON.stringify(world.lines);
  assert(linesOf(world, "secrets_reencrypted").length === 1, logged);
  ciphertexts.push(...(await readCiphertexts(world.sql)).values());
  for (const hidden of [secret, newKey, world.encryptionKey, ...ciphertexts]) {
    assert(!logged.includes(hidden));
  }
});

Deno.test("only the dispatcher reads and replaces secrets", async () => {
  await using world = await createDispatchWorld();
  const verbs = ["secret_key_ids", "count_secrets", "stale_secrets", "replace_ciphertexts"];
  const rows = await world.sql<{ role: string; name: string }[]>`
    select r.rolname as role, p.proname as name
    from pg_proc as p cross join pg_roles as r
    where p.pronamespace = 'private'::regnamespace and p.proname in ${world.sql(verbs)}
      and not r.rolsuper and r.rolname !~ '^pg_'
      and has_function_privilege(r.oid, p.oid, 'execute')
  `;
  assert.deepEqual(rows.map(({ role }) => role), Array(verbs.length).fill("signalpost_dispatch"));
});

Deno.test("run_hourly_tasks() deletes secrets once they have expired", async () => {
  await using world = await createDispatchWorld();
  const destination = await world.addDestination();
  await rotate(world, destination, await world.secrets.encrypt(ownerOf(destination), "next"));

  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;
  assert.equal((await readCiphertexts(world.sql)).size, 2);
  world.clock.advance(dayMs);
  await world.sql`select ops.run_hourly_tasks(${world.clock.now})`;

  const [left, ...others] = [...(await readCiphertexts(world.sql)).values()];
  assert.equal(await world.secrets.decrypt(ownerOf(destination), left!), "next");
  assert.deepEqual(others, []);
});
