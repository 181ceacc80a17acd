import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { generateSecret } from "../../supabase/functions/_shared/secrets/signing.ts";
import type { StackInfo } from "../../local/stack.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { startReceiver } from "../../testing/receivers/receiver.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const patienceMs = 8_000;

Deno.test("the stack delivers a tracked event immediately, before the next poll", async () => {
  const encryptionKey = randomBytes(32).toString("base64");
  await using db = await createTestDatabase();
  await using stack = await startTestStack({
    args: ["--database-url", db.url],
    env: { SECRETS_ENCRYPTION_KEY: encryptionKey },
  });
  await using receiver = startPromptReceiver();
  await addDestination(stack.info, { url: receiver.url, encryptionKey });

  const response = await fetch(`${stack.info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${stack.info.api_key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ external_id: "user-1", name: "order_created" }),
  });
  const { event_id } = await response.json();

  const request = await receiver.request;
  assert.equal(request.event_type, "order_created");
  assert.equal(request.payload.event_id, event_id);
});

Deno.test("the stack releases running deliveries when it is stopped", async () => {
  const encryptionKey = randomBytes(32).toString("base64");
  await using db = await createTestDatabase();
  await using stack = await startTestStack({
    args: ["--database-url", db.url],
    env: { SECRETS_ENCRYPTION_KEY: encryptionKey },
  });
  await using receiver = await startSilentReceiver();
  await addDestination(stack.info, { url: receiver.url, encryptionKey });
  await db.sql`
    select private.publish_messages(array[
      row(${stack.info.workspace_id}::uuid, 'order_created', '{}'::jsonb, null, null)::private.new_message
    ])`;
  await receiver.requested;

  assert.equal(await stack.stop(), 0);

  const queue = await db.sql`select claim, lease_until from private.webhook_queue`;
  assert.deepEqual(queue.map((row) => ({ ...row })), [{ claim: null, lease_until: null }]);
});

/** Takes requests and never responds. */
async function startSilentReceiver() {
  const receiver = await startReceiver({ behaviour: () => {} });
  return {
    url: `http://127.0.0.1:${receiver.port}/`,
    requested: receiver.waitForRequests(1),
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

/** Resolves with the body of the first request, and rejects when none comes in time. */
function startPromptReceiver() {
  const { promise, resolve, reject } = Promise.withResolvers<
    { event_type: string; payload: { event_id: string } }
  >();
  const timer = setTimeout(() => reject(new Error("Nothing was delivered")), patienceMs);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (r) => {
    resolve(await r.json());
    return new Response();
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    request: promise,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await server.shutdown();
    },
  };
}

async function addDestination(
  { db_url, workspace_id }: StackInfo,
  { url, encryptionKey }: { url: string; encryptionKey: string },
): Promise<void> {
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  const [destination] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspace_id}, 'Receiver', ${url}, '{order_*}')
    returning id`;
  assert(destination);
  const box = await createSecretBox(encryptionKey);
  const owner = { kind: "destination", workspaceId: workspace_id, id: destination.id } as const;
  const ciphertext = await box.encrypt(owner, generateSecret());
  await sql`
    select private.rotate_destination_secret(${workspace_id}, ${destination.id}, ${ciphertext})`;
  await sql.end();
}
