import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

const dayMs = 86_400_000;

/** A message that was sent from a template, which was deleted since. */
async function createOrphan(world: ApiWorld): Promise<string> {
  const token = await world.signInAs("owner");
  const call = async (method: string, path: string, body?: unknown) => {
    const { workspaceId } = world;
    const response = await world.send({ method, path, token, workspaceId, body });
    assert(response.status < 300, JSON.stringify(response.body));
    return response.body;
  };
  await call("PUT", "/templates/plain", {
    name: "Plain",
    subject: "Hello {{ customer.first_name }}",
    html: "<p>Order {{ trigger.order }}</p>",
  });
  await call("PUT", "/senders/main", { name: "Main", provider: "inbox", from: "a@acme.example" });
  await ingestFor(world.sql, world.workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: "ada@example.com" } },
  ]);
  const { send_id } = await call("POST", "/sends", {
    template: "plain",
    sender: "main",
    external_id: "ada",
    data: { order: 7 },
  });
  const facts = { customer: { first_name: "Ada" }, workspace: {}, now: "2026-11-22T10:00:00.000Z" };
  await world.sql`
    update public.sends
    set state = 'sent', template_version = 1, facts = ${JSON.stringify(facts)}::text::jsonb,
      sent_at = now(), finished_at = now()
    where id = ${send_id}`;
  await call("DELETE", "/templates/plain");
  return send_id;
}

async function countVersions({ sql }: ApiWorld): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from public.template_versions`;
  return row!.count;
}

Deno.test("a message stays readable as it was sent when its template is deleted", async () => {
  await using world = await createApiWorld();
  const send_id = await createOrphan(world);
  const token = await world.createKey(["sends:read"]);
  const { body } = await world.send({ path: `/sends/${send_id}`, token });
  assert.deepEqual([body.subject, body.html], ["Hello Ada", "<p>Order 7</p>"]);
});

Deno.test("the versions of a deleted template are kept as long as its messages", async () => {
  await using world = await createApiWorld();
  await createOrphan(world);
  const clean = async (days: number) => {
    const at = new Date(Date.now() + days * dayMs);
    await world.sql`select private.delete_retired_versions(10, ${at})`;
    return await countVersions(world);
  };
  assert.equal(await clean(89), 1);
  assert.equal(await clean(91), 1, "a message of it is left");
  await world.sql`delete from public.sends`;
  assert.equal(await clean(89), 1);
  assert.equal(await clean(91), 0);
});

Deno.test("nobody adds a version to a deleted template, or to one of another workspace", async () => {
  await using world = await createApiWorld();
  await createOrphan(world);
  const [version] = await world.sql<{ template_id: string }[]>`
    select template_id from public.template_versions`;
  const token = await world.createKey(["templates:read", "templates:write"]);
  const path = `/templates/${version!.template_id}`;
  for (const [method, url] of [["GET", path], ["GET", `${path}/versions`], ["PATCH", path]]) {
    const body = method === "PATCH" ? { subject: "New" } : undefined;
    const { status } = await world.send({ method: method!, path: url!, token, body });
    assert.equal(status, 404, `${method} ${url}`);
  }
  const insert = world.sql.begin(async (tx) => {
    await tx`
      select
        set_config('signalpost.workspace_id', ${world.workspaceId}, true),
        set_config('signalpost.scopes', 'templates:read templates:write', true),
        set_config('role', 'signalpost_key', true)`;
    await tx`
      insert into public.template_versions (
        workspace_id, template_id, version, subject, is_text_generated, variables, warnings,
        has_unsubscribe
      )
      values (${world.workspaceId}, ${version!.template_id}, 2, 'x', false, '{}', '{}', false)`;
  });
  await assert.rejects(insert, /row-level security/);
});
