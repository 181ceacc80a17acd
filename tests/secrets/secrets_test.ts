import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { generateSecret } from "../../supabase/functions/_shared/secrets/signing.ts";
import {
  createDispatchWorld,
  type DispatchWorld,
  type TestDestination,
} from "../../testing/service/dispatch_world.ts";
import type { ReceivedRequest } from "../../testing/receivers/receiver.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

const hourMs = 60 * 60 * 1_000;

async function rotate(
  world: DispatchWorld,
  { id, workspaceId }: TestDestination,
  overlap: string,
): Promise<string> {
  const secret = generateSecret();
  const ciphertext = await world.secrets.encrypt({ kind: "destination", workspaceId, id }, secret);
  await world.sql`
    select private.rotate_destination_secret(
      ${workspaceId}, ${id}, ${ciphertext}, ${overlap}, ${world.clock.now}
    )
  `;
  return secret;
}

/** For either signature, true if a receiver that knows only this secret takes the request. */
function verifies(secret: string, { headers, body }: ReceivedRequest): [boolean, boolean] {
  const byName = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const own = createHmac("sha256", secret).update(body).digest("hex");
  let isStandard = true;
  try {
    new Webhook(secret).verify(new TextDecoder().decode(body), byName);
  } catch {
    isStandard = false;
  }
  return [isStandard, byName["x-service-signature"] === own];
}

Deno.test("during a rotation the old and the new secret verify, afterwards only the new", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const destination = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  const send = async () => {
    world.clock.advance(1_000);
    await world.publish("order_created", {});
    await world.dispatch();
    return receiver.requests.at(-1)!;
  };
  const startedAt = world.clock.now;

  const before = await send();
  assert.deepEqual(verifies(destination.secret, before), [true, true]);
  const next = await rotate(world, destination, "2 minutes");
  const during = await send();
  assert.deepEqual(verifies(destination.secret, during)[0], true);
  assert.deepEqual(verifies(next, during), [true, true]);
  world.clock.now = new Date(startedAt.getTime() + 150_000);
  const after = await send();
  assert.deepEqual(verifies(destination.secret, after), [false, false]);
  assert.deepEqual(verifies(next, after), [true, true]);
});

Deno.test("a rotation without overlap ends the old secret immediately, even for retries", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: respond(500) });
  const destination = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", {});
  await world.dispatch();

  const next = await rotate(world, destination, "0");
  world.clock.advance(5_000);
  await world.dispatch();

  const [first, second] = receiver.requests;
  assert.deepEqual(verifies(destination.secret, first!), [true, true]);
  assert.deepEqual(verifies(destination.secret, second!), [false, false]);
  assert.deepEqual(verifies(next, second!), [true, true]);
  assert.deepEqual(first!.body, second!.body);
});

Deno.test("rotate_destination_secret() accepts an overlap of 0 to 7 days", async () => {
  await using world = await createDispatchWorld();
  const destination = await world.addDestination();

  await assert.rejects(rotate(world, destination, "7 days 1 second"), { code: "SP400" });
  await assert.rejects(rotate(world, destination, "-1 second"), { code: "SP400" });
  await assert.rejects(rotate(world, { ...destination, id: crypto.randomUUID() }, "1 day"), {
    code: "SP404",
  });
});

Deno.test("an unreadable secret holds its deliveries back without counting failures", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const { secret } = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", {});
  const otherBox = await createSecretBox(randomBytes(32).toString("base64"));

  await world.makeDispatcher({ lingerMs: 0, horizonMs: 0 }, otherBox).wake();
  assert.equal(receiver.requests.length, 0);
  assert.deepEqual(await world.deliveries(), []);
  const told = world.lines.map(({ msg }) => msg).toSorted();
  assert.deepEqual(told, ["secrets_unreadable", "sign_failed"]);
  world.clock.advance(60_000);
  await world.dispatch();

  assert.deepEqual(verifies(secret, receiver.requests[0]!), [true, true]);
});

Deno.test("a secret is not readable anywhere in the database or in the log", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: respond(500) });
  const destination = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  const secrets = [destination.secret, await rotate(world, destination, "1 day")];
  await world.publish("order_created", {});
  await world.dispatch();
  world.clock.advance(hourMs);
  receiver.use(respond(200));
  await world.dispatch();

  const everything = [
    JSON.stringify(world.lines),
    JSON.stringify(await world.sql`select * from pg_stat_activity`),
    JSON.stringify(await world.sql`select tgargs, pg_get_triggerdef(oid) from pg_trigger`),
    JSON.stringify(await world.sql`select prosrc from pg_proc where prosrc is not null`),
    await dumpTables(world),
  ];
  assert(everything.at(-1)!.includes(destination.id), "the dump holds what the tables hold");
  for (const secret of secrets) {
    const hidden = [secret, secret.slice("whsec_".length), hexOf(secret)];
    for (const text of everything) {
      for (const form of hidden) assert(!text.includes(form));
    }
  }
});

function hexOf(secret: string): string {
  return createHex(atob(secret.slice("whsec_".length)));
}

function createHex(bytes: string): string {
  return [...bytes].map((char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** Every row of every table of ours, as text. */
async function dumpTables({ sql }: DispatchWorld): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'ops', 'auth')
  `;
  const dumps = await Promise.all(
    tables.map(({ name }) => sql.unsafe(`select t::text as row from ${name} as t`)),
  );
  return dumps.flat().map(({ row }) => row).join("\n");
}
