import assert from "node:assert/strict";
import { createApiKey } from "../../testing/data/factories.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createSegment, editSegment, foldAll } from "../segments/fold_world.ts";
import {
  addPeople,
  createCampaign,
  createCampaignWorld,
  insertSegment,
  nextYear,
  send,
  work,
} from "./campaign_world.ts";

Deno.test("GET /sends/explain of a campaign says why a customer is not a recipient", async () => {
  await using world = await createCampaignWorld();
  await using api = await createApiWorld({ db: world.db });
  const { sql, workspaceId } = world;
  const scopes = ["campaigns:read", "sends:read", "customers:read"];
  const token = await createApiKey(sql, { workspaceId, scopes });
  const other = await insertSegment(sql, workspaceId, "staff");
  const [member] = await addPeople(world, [{ email: "ada@example.com" }]);
  const [stranger] = await addPeople(world, [{ email: "bob@example.com" }], other);
  const campaignId = await createCampaign(world, { exclude: [other] });
  const explain = async (customerId: string) => {
    const path = `/sends/explain?customer_id=${customerId}&campaign_id=${campaignId}`;
    const { status, body } = await api.send({ path, token });
    assert.equal(status, 200, JSON.stringify(body));
    return body.answer;
  };
  assert.equal(await explain(member!), "Not sent: the campaign has not begun");
  assert.equal(await explain(stranger!), 'Not sent: the customer is not in the segment "all"');

  const began = nextYear("03-02T08:00:00Z");
  await sql`
    update public.campaigns set recipients = 0, started_at = ${began} where id = ${campaignId}`;
  assert.equal(
    await explain(stranger!),
    'Not sent: the customer was not in the segment "all" when the campaign began',
  );
  const change = async (customerId: string, change: string, at: string) => {
    await sql`
      insert into public.segment_changes (workspace_id, at, id, segment_id, customer_id, change, cause)
      values (
        ${workspaceId}, ${at}, private.uuid_v7(), ${world.segmentId}, ${customerId}, ${change}, 'list'
      )`;
  };
  await change(member!, "entered", nextYear("03-02T09:00:00Z"));
  assert.match(await explain(member!), /was not in the segment "all"/, "the member came later");
  await change(stranger!, "left", nextYear("03-02T09:00:00Z"));
  assert.equal(
    await explain(stranger!),
    'Not sent: the customer was in the segment "staff" when the campaign began, which the campaign leaves out',
  );
});

Deno.test("GET /sends/explain of a campaign does not guess who was in a segment that changed since", async () => {
  await using world = await createCampaignWorld();
  await using api = await createApiWorld({ db: world.db });
  const { sql, workspaceId } = world;
  const scopes = ["campaigns:read", "sends:read", "customers:read"];
  const token = await createApiKey(sql, { workspaceId, scopes });
  const [customer] = await addPeople(world, [{ email: "ada@example.com" }]);
  await sql`update public.customers set attributes = '{"plan":"free"}' where id = ${customer!}`;
  const has = (value: string) => ({ field: "attributes.plan", op: "eq", value } as const);
  const live = await createSegment(sql, workspaceId, has("pro"));
  await foldAll(sql, world.now);
  const began = new Date(world.now + 60_000);
  const campaignId = await createCampaign(world);
  await sql`
    update public.campaigns
    set segment_id = ${live}, recipients = 0, started_at = ${began}
    where id = ${campaignId}`;
  const explain = async () => {
    const path = `/sends/explain?customer_id=${customer}&campaign_id=${campaignId}`;
    const { body } = await api.send({ path, token });
    return body.answer;
  };
  assert.match(await explain(), /was not in the segment "Some" when the campaign began/);
  await editSegment(sql, { workspaceId, id: live, condition: has("free") });
  await foldAll(sql, world.now + 120_000);
  assert.equal(
    await explain(),
    'Not sent: the segment "Some" changed after the campaign began, so its members at that time ' +
      "are unknown",
  );
  // A list that is left out decides all the same.
  const staff = await insertSegment(sql, workspaceId, "staff");
  await sql`
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    values (${workspaceId}, ${staff}, 0, ${customer!}, ${new Date(world.now)})`;
  await sql`update public.campaigns set exclude_ids = array[${staff}]::uuid[] where id = ${campaignId}`;
  assert.match(await explain(), /was in the segment "staff" when the campaign began/);
});

Deno.test("GET /sends/explain of a campaign says that a recipient has the same address", async () => {
  await using world = await createCampaignWorld();
  await using api = await createApiWorld({ db: world.db });
  const { sql, workspaceId } = world;
  const scopes = ["campaigns:read", "sends:read", "customers:read"];
  const token = await createApiKey(sql, { workspaceId, scopes });
  const [first] = await addPeople(world, [{ email: "ada@example.com" }]);
  const campaignId = await createCampaign(world);
  await send(world, campaignId);
  await work(world);
  const [second] = await addPeople(world, [{ email: " ADA@example.com" }]);
  const [third] = await addPeople(world, [{ email: "bob@example.com" }]);
  const explain = async (customerId: string) => {
    const path = `/sends/explain?customer_id=${customerId}&campaign_id=${campaignId}`;
    const { body } = await api.send({ path, token });
    return body.checks.find(({ subject }: { subject: string }) => subject === "entry").message;
  };
  assert.match(await explain(first!), /^The customer is a recipient of the campaign/);
  assert.equal(
    await explain(second!),
    "Another recipient has the same address, and each address gets the campaign once",
  );
  assert.match(await explain(third!), /^The customer had no address when the campaign began/);
});

Deno.test("GET /sends/explain of a campaign says that it is paused or was cancelled", async () => {
  await using world = await createCampaignWorld();
  await using api = await createApiWorld({ db: world.db });
  const { sql, workspaceId } = world;
  const scopes = ["campaigns:read", "sends:read", "customers:read"];
  const token = await createApiKey(sql, { workspaceId, scopes });
  const [member] = await addPeople(world, [{ email: "ada@example.com" }]);
  const campaignId = await createCampaign(world);
  const explain = async () => {
    const path = `/sends/explain?customer_id=${member}&campaign_id=${campaignId}`;
    const { body } = await api.send({ path, token });
    return body.checks.filter(({ subject }: { subject: string }) => subject === "campaign")
      .map(({ ok, message }: Record<string, unknown>) => [ok, message]);
  };
  assert.deepEqual(await explain(), []);
  for (
    const [state, ok, message] of [
      ["sending", true, "The campaign is running"],
      ["paused", false, "The campaign is paused"],
      ["completed", true, "The campaign has completed"],
      ["cancelled", false, "The campaign was cancelled"],
    ] as const
  ) {
    await sql`update public.campaigns set state = ${state} where id = ${campaignId}`;
    assert.deepEqual(await explain(), [[ok, message]]);
  }
});
