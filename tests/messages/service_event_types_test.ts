import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { readSchema } from "../../tools/schema/release.ts";

/** Every type that the service sends, by name. */
const types = [
  "alert.opened",
  "alert.resolved",
  "campaign.completed",
  "campaign.sent",
  "customer.created",
  "customer.deleted",
  "customer.merged",
  "customer.updated",
  "destination.disabled",
  "destination.failing",
  "destination.recovered",
  "journey.entered",
  "journey.exited",
  "journey.webhook",
  "ping",
  "segment.entered",
  "segment.left",
  "sender.failing",
  "sender.recovered",
];

Deno.test("GET /event-types lists the service's types, each with its cause", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["destinations:read"]);
  const { body } = await world.send({ path: "/event-types", token });
  const listed: { type: string; description: string }[] = body.service;
  assert.deepEqual(listed.map(({ type }) => type), types);
  assert(listed.every(({ description }) => description.length > 10));
});

Deno.test("docs/api.md documents the types of the service, and no others", () => {
  const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const section = page.split("\n### Event types\n")[1]!.split("\n### ")[0]!;
  const documented = [...section.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, type]) => type!);
  assert.deepEqual(documented.toSorted(), types);
});

Deno.test("the SQL functions send every type of the service, and no others", () => {
  const program = readSchema().map(({ text }) => text).join("\n");
  const sent = program.matchAll(
    /'((?:alert|campaign|customer|destination|journey|segment|sender)\.[a-z_]+|ping)'/g,
  );
  assert.deepEqual([...new Set([...sent].map(([, type]) => type))].toSorted(), types);
});

Deno.test("a message of the service with an unknown type is refused", async () => {
  await using db = await createTestDatabase();
  await assert.rejects(
    db.sql`select private.service_message(gen_random_uuid(), 'customer.renamed', '{}')`,
    { message: 'Cannot send "customer.renamed": private.service_event_types does not have it' },
  );
});
