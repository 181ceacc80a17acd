import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

async function createAdmin(world: ApiWorld) {
  const token = await world.signInAs("admin");
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId: world.workspaceId, body });
}

const news = { key: "news", name: "News", default: "unsubscribed" };

Deno.test("a topic is created, named by its key, replaced and deleted", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const created = await act("POST", "/topics", { ...news, description: "Weekly" });
  assert.equal(created.status, 201);
  const { id, created_at, updated_at, ...shown } = created.body;
  assert.deepEqual(shown, {
    ...news,
    description: "Weekly",
    subscribed: 0,
    unsubscribed: 0,
    used_by: [],
  });
  assert.equal(created_at, updated_at);

  const again = await act("POST", "/topics", news);
  assert.equal(again.status, 409);
  assert.equal(again.body.error, 'Cannot create topic: the key "news" is in use');
  assert.equal((await act("GET", "/topics/news")).body.id, id);
  assert.equal((await act("GET", `/topics/${id.toUpperCase()}`)).body.id, id);

  const put = await act("PUT", "/topics/news", { name: "Our news", default: "subscribed" });
  assert.deepEqual([put.status, put.body.id, put.body.description], [200, id, null]);
  const made = await act("PUT", "/topics/offers", { name: "Offers", default: "subscribed" });
  assert.deepEqual([made.status, made.body.key], [201, "offers"]);
  const unknown = crypto.randomUUID();
  assert.equal(
    (await act("PUT", `/topics/${unknown}`, { name: "X", default: "subscribed" })).status,
    404,
  );

  assert.equal((await act("PATCH", "/topics/offers", { key: "news" })).status, 409);
  assert.equal((await act("PATCH", "/topics/offers", { key: "deals" })).body.key, "deals");
  assert.equal((await act("DELETE", "/topics/deals")).status, 204);
  assert.equal((await act("GET", "/topics/deals")).status, 404);
  const { body } = await act("GET", "/topics");
  assert.deepEqual(body.data.map(({ key }: { key: string }) => key), ["news"]);
});

Deno.test("PUT takes a topic with the key of its path, and renames one by its id", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const { status, body: { id } } = await act("PUT", "/topics/news", news);
  assert.equal(status, 201);
  assert.equal((await act("PUT", "/topics/news", news)).status, 200);
  const other = await act("PUT", "/topics/news", { ...news, key: "offers" });
  assert.deepEqual([other.status, other.body.details[0].field], [400, "key"]);
  const renamed = await act("PUT", `/topics/${id}`, { ...news, key: "weekly" });
  assert.deepEqual([renamed.status, renamed.body.key], [200, "weekly"]);
  await act("PUT", "/topics/news", news);
  assert.equal((await act("PUT", `/topics/${id}`, news)).status, 409);
});

Deno.test("a topic that a segment depends on cannot be deleted", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  await act("POST", "/topics", news);
  await act("PUT", "/segments/readers", { name: "Readers", condition: { topic: "news" } });
  const refused = await act("DELETE", "/topics/news");
  assert.deepEqual([refused.status, refused.body.error], [
    409,
    "Cannot delete topic: a segment depends on it",
  ]);
  assert.equal((await act("DELETE", "/segments/readers")).status, 204);
  assert.equal((await act("DELETE", "/topics/news")).status, 204);
});

Deno.test("a key cannot look like an id", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  for (const key of [crypto.randomUUID(), "", "a b", "-a", "a".repeat(101)]) {
    assert.equal((await act("POST", "/topics", { ...news, key })).status, 400, key);
  }
});

Deno.test("customers are subscribed by their address", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const act = await createAdmin(world);
  await act("POST", "/topics", news);
  await act("POST", "/topics", { key: "offers", name: "Offers", default: "subscribed" });
  const [ada, twin, nobody] = await ingestFor(sql, workspaceId, [
    { kind: "identify", external_id: "ada", profile: { email: "ada@example.com" } },
    { kind: "identify", external_id: "twin", profile: { email: "ADA@example.com" } },
    { kind: "identify", external_id: "nobody", profile: { first_name: "No" } },
  ]);
  const read = async (id?: string) => {
    const { body } = await act("GET", `/customers/${id}/topics`);
    return body.data.map((
      topic: { key: string; subscribed: boolean },
    ) => [topic.key, topic.subscribed]);
  };
  assert.deepEqual(await read(ada), [["news", false], ["offers", true]]);
  assert.deepEqual(await read(nobody), [["news", false], ["offers", false]]);

  const edit = { topic: "news", subscribed: true };
  const set = await act("PUT", `/customers/${ada}/topics`, edit);
  assert.equal(set.status, 200);
  assert.equal(set.body.data[0].subscribed, true);
  assert.match(set.body.data[0].changed_at, /Z$/);
  assert.equal(set.body.data[1].changed_at, null);
  assert.deepEqual(await read(twin), [["news", true], ["offers", true]]);
  assert.equal((await act("GET", "/topics/news")).body.subscribed, 1);

  const none = await act("PUT", `/customers/${nobody}/topics`, edit);
  assert.equal(none.status, 409);
  const unknown = await act("PUT", `/customers/${ada}/topics`, { ...edit, topic: "moon" });
  assert.deepEqual(unknown.body.details, [
    { field: "topic", message: "must be the id or key of a topic" },
  ]);
});

Deno.test("suppressions are added, found by address in any case, and lifted", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const made = await act("POST", "/suppressions", { email: "Ada@Example.com" });
  assert.equal(made.status, 201);
  const { id, created_at, updated_at, email_hash, ...shown } = made.body;
  assert.equal(updated_at, created_at);
  assert.match(email_hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(shown, {
    key: null,
    email: "ada@example.com",
    reason: "manual",
    source: "api",
    until: null,
  });
  const again = await act("POST", "/suppressions", { email: "ada@example.com" });
  assert.deepEqual([again.status, again.body.id], [201, id]);
  const found = await act("GET", "/suppressions?email=ADA@example.com");
  assert.deepEqual(found.body.data.map((one: { id: string }) => one.id), [id]);
  assert.deepEqual((await act("GET", "/suppressions?email=no@example.com")).body.data, []);
  assert.equal((await act("DELETE", `/suppressions/${id}`)).status, 204);
  assert.deepEqual((await act("GET", "/suppressions")).body.data, []);
});

Deno.test("suppressions are filtered by reason, page by page and as a stream", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const reasons = { ada: "complaint", grace: "manual", edith: "complaint" };
  for (const [name, reason] of Object.entries(reasons)) {
    await act("POST", "/suppressions", { email: `${name}@example.com`, reason });
  }
  const emailsOf = ({ body }: { body: { data: { email: string }[] } }) =>
    body.data.map(({ email }) => email);
  const path = "/suppressions?reason=complaint&limit=1";
  const first = await act("GET", path);
  assert.deepEqual(emailsOf(first), ["edith@example.com"]);
  const second = await act("GET", `${path}&cursor=${first.body.next_cursor}`);
  assert.deepEqual(emailsOf(second), ["ada@example.com"]);
  assert.equal(second.body.next_cursor, null);
  assert.deepEqual(emailsOf(await act("GET", "/suppressions?reason=soft_bounces")), []);
  const both = await act("GET", "/suppressions?reason=complaint&email=grace@example.com");
  assert.deepEqual(emailsOf(both), []);
  const stream = await act("GET", "/suppressions/export?reason=manual&format=ndjson");
  const lines = stream.body.trimEnd().split("\n").map((line: string) => JSON.parse(line).email);
  assert.deepEqual(lines, ["grace@example.com"]);
  const wrong = await act("GET", "/suppressions?reason=bounce");
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body.details, [{
    field: "reason",
    message: 'must be one of "manual", "import", "hard_bounce", "soft_bounces", "complaint"',
  }]);
});

Deno.test("suppressions are imported from CSV and exported as CSV", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const csv = "Name,Email,Reason\r\n" +
    'Ada,ada@example.com,complaint\r\n"Hopper, G.",grace@example.com,\r\n' +
    "Twice,GRACE@example.com,\r\nNo,no address,\r\nBad,bad@example.com,moon\r\n";
  const first = await act("POST", "/suppressions/import", { csv });
  assert.equal(first.status, 200);
  assert.deepEqual(first.body, {
    added: 2,
    unchanged: 0,
    rejected: [
      { line: 5, message: 'email must be an email address, like "ada@example.com"' },
      { line: 6, message: 'reason must be one of "manual", "hard_bounce", "complaint"' },
    ],
    rejected_count: 2,
  });
  const second = await act("POST", "/suppressions/import", { csv });
  assert.deepEqual([second.body.added, second.body.unchanged], [0, 2]);

  const exported = await act("GET", "/suppressions/export");
  assert.equal(exported.headers.get("content-type"), "text/csv; charset=utf-8");
  const [head, ...lines] = exported.body.trimEnd().split("\r\n");
  assert.equal(head, "id,key,email_hash,email,reason,source,until,created_at,updated_at");
  const kept = lines.map((line: string) => line.split(",")).map((
    row: string[],
  ) => [row[3], row[4]]);
  assert.deepEqual(kept.sort(), [["ada@example.com", "complaint"], [
    "grace@example.com",
    "import",
  ]]);
  const file = await world.send({
    method: "POST",
    path: "/suppressions/import",
    token: await world.createKey(["suppressions:write"]),
    raw: new TextEncoder().encode("email\nfile@example.com\n"),
    headers: { "content-type": "text/csv; charset=utf-8" },
  });
  assert.deepEqual([file.status, file.body.added], [200, 1]);

  const twice = await act("POST", "/suppressions/import", { csv: "email,Email\na@b.c,b@c.d" });
  assert.equal(twice.status, 400);
  assert.match(JSON.stringify(twice.body), /must have only one column/);

  const without = await act("POST", "/suppressions/import", { csv: "address\nada@example.com" });
  assert.equal(without.status, 400);
});
