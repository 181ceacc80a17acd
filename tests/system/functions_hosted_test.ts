import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readDeployCommands, runCommand } from "../../testing/service/deploy_guide.ts";
import { createMessageLinks } from "../../supabase/functions/send-dispatch/message_links.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createSentMessage, readEngagements } from "../../testing/data/sent_messages.ts";
import { createEmptyDatabase, createTestDatabase } from "../../testing/postgres/database.ts";
import { measure, serve, unpack } from "../../testing/service/hosted_functions.ts";
import {
  createHostedWorld,
  describePlatform,
  dispatchKey,
} from "../../testing/service/hosted_world.ts";
import { startManagementApi, type Upload } from "../../testing/service/management_api.ts";
import { makeProject } from "../../testing/service/supabase_cli.ts";
import { listFunctions } from "../../tools/bundle_functions.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const megabyte = 1024 * 1024;
const commands = readDeployCommands("docs/deploy.md");

const uploads = await deployAsDocumented();

/** Runs the documented commands, each as it is written; returns what the platform got. */
async function deployAsDocumented(): Promise<Map<string, Upload>> {
  await using api = startManagementApi();
  const bundle = commands.find((command) => command.includes("deploy:bundle"))!;
  await succeed(bundle, { cwd: root, env: {} });
  await using project = await makeProject({ withBundles: true });
  const profile = join(project.path, "profile.yml");
  writeFileSync(profile, api.profile);
  const account = { SUPABASE_PROFILE: profile, SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}` };
  const others = commands.filter((command) => command !== bundle && !command.includes("db push"));
  for (const command of others) {
    await succeed(command, { cwd: project.path, env: { ...account, REF: "a".repeat(20) } });
  }
  return api.uploads;
}

async function succeed(command: string, options: Parameters<typeof runCommand>[1]): Promise<void> {
  const { code, text } = await runCommand(command, options);
  assert.equal(code, 0, `${command}\n${text}`);
}

Deno.test("the documented commands are complete and in order", () => {
  const steps = commands.map((command) =>
    / (deploy:bundle|db push|secrets set|functions deploy)\b/.exec(command)?.[1]
  );
  assert.deepEqual(steps, ["deploy:bundle", "db push", "secrets set", "functions deploy"]);
});

Deno.test("README.md and docs/deploy.md name the same commands", () => {
  assert.deepEqual(readDeployCommands("README.md"), commands);
});

Deno.test("the documented db push applies the migrations", async () => {
  await using project = await makeProject();
  await using db = await createEmptyDatabase();
  const push = commands.find((command) => command.includes("db push"))!;
  await succeed(push, { cwd: project.path, env: { REF: `${db.url}?sslmode=disable` } });
  assert.deepEqual([...await db.sql`select to_regclass('public.events') is not null as ok`], [{
    ok: true,
  }]);
});

Deno.test("the documented functions deploy uploads every function", () => {
  assert.deepEqual([...uploads.keys()].sort(), listFunctions());
});

for (const [name, upload] of uploads) {
  Deno.test(`the upload of ${name} checks its callers itself and names only what it holds`, () => {
    assert.equal(upload.metadata.verify_jwt, false);
    assert(upload.files.has(upload.metadata.entrypoint_path));
    const configuration = upload.metadata.import_map_path;
    assert(configuration === "" || upload.files.has(configuration), configuration);
  });

  Deno.test(`the upload of ${name} is below 2 MB by deno info, with nothing to download`, async () => {
    await using unpacked = await unpack(upload);
    const { bytes, text } = await measure(unpacked);
    assert(bytes < 2 * megabyte, text);
    assert.doesNotMatch(text, /npm:|jsr:|https?:/);
  });

  Deno.test(`the upload of ${name} refuses to start without its variables`, async () => {
    await using unpacked = await unpack(upload);
    const first = name === "compile-mjml" ? "SUPABASE_SECRET_KEYS" : "SUPABASE_DB_URL";
    await assert.rejects(
      () => serve(unpacked, { env: {} }),
      new RegExp(`Cannot start: "${first}" is not set`),
    );
  });
}

/** Global that the platform gives to a function before it is loaded. */
const platform = `
  globalThis.EdgeRuntime = { waitUntil: (work) => (console.log("waitUntil"), work.catch(() => {})) };
  export { default } from "./supabase/bundles/webhook-dispatch/index.js";
`;

Deno.test("the upload of webhook-dispatch works on after its response, and logs where it failed", async () => {
  await using unpacked = await unpack(uploads.get("webhook-dispatch")!);
  writeFileSync(join(unpacked.dir, "platform.js"), platform);
  // The role is there, and nothing else.
  await using db = await createEmptyDatabase();
  const environment = describePlatform({ databaseUrl: db.url, jwks: "" });
  await using served = await serve({ ...unpacked, entrypoint: "platform.js" }, {
    env: environment,
  });
  const headers = { apikey: dispatchKey };
  const response = await fetch(`${served.url}/webhook-dispatch`, { method: "POST", headers });
  assert.equal(response.status, 202, await response.text());
  assert(await served.printed.waitFor((text) => text.includes("waitUntil")));
  assert(await served.printed.waitFor((text) => text.includes('"stack"')));
  assert.match(served.printed.text(), /signalpost:supabase\/functions\/[\w/-]+\.ts:\d+/);
});

const mjml = `<mjml>
  <mj-head><mj-style inline="inline">.greeting { color: red }</mj-style></mj-head>
  <mj-body><mj-section><mj-column>
    <mj-text><p class="greeting">Hello {{ customer.first_name }}</p></mj-text>
    <mj-button href="{{ trigger.url }}">Open</mj-button>
  </mj-column></mj-section></mj-body>
</mjml>`;

Deno.test("the upload of compile-mjml compiles a template without a database", async () => {
  await using unpacked = await unpack(uploads.get("compile-mjml")!);
  const keys = { SUPABASE_SECRET_KEYS: JSON.stringify({ dispatch: dispatchKey }) };
  await using served = await serve(unpacked, { env: keys });
  const response = await fetch(`${served.url}/compile-mjml`, {
    method: "POST",
    headers: { apikey: dispatchKey, "content-type": "application/json" },
    body: JSON.stringify({ mjml }),
  });
  const { html, errors } = await response.json();
  assert.equal(response.status, 200, JSON.stringify({ html, errors }));
  assert.match(
    html,
    /^<!doctype html>[\s\S]*style="color: red;?"[^>]*>Hello {{ customer\.first_name }}<\/p>/,
  );
  assert.deepEqual(errors, []);
});

Deno.test("the upload of links shows a page, unsubscribes by one click and serves the image", async () => {
  await using db = await createTestDatabase();
  await using unpacked = await unpack(uploads.get("links")!);
  const environment = describePlatform({ databaseUrl: db.url, jwks: "" });
  await using served = await serve(unpacked, { env: environment });
  const workspaceId = await createWorkspace(db.sql);
  const sendId = await createSentMessage(db.sql, workspaceId);
  const [row] = await db.sql<{ key: Uint8Array }[]>`
    select key from private.link_keys(array[${workspaceId}::uuid])`;
  const linksUrl = `${served.url}/links`;
  const links = createMessageLinks({ linksUrl, workspaceId, sendId, key: row!.key });
  const page = await fetch(links.unsubscribeUrl, { headers: { accept: "text/html" } });
  assert.match(await page.text(), /<h1>Unsubscribe<\/h1>/);
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  const response = await fetch(links.unsubscribeUrl, { method: "POST", body: form });
  assert.equal(response.status, 200, await response.text());
  const image = await fetch(links.openUrl);
  assert.equal(image.headers.get("content-type"), "image/gif");
  await image.body?.cancel();
  const events = await readEngagements(db.sql, workspaceId);
  assert.deepEqual(events.map(({ name }) => name), ["unsubscribed", "email_opened"]);
});

Deno.test("the uploaded functions store and deliver events through a restart of Postgres", async (t) => {
  await using world = await createHostedWorld(uploads);

  await t.step("api creates a destination and a source, for a session and for a key", async () => {
    await world.createDestination();
    await world.createSource();
  });
  await t.step("track stores an event and webhook-dispatch delivers it", async () => {
    const response = await world.track("visit-1");
    assert.equal(response.status, 200, JSON.stringify(response.body));
    await world.whileServing(world.delivered([response.body.event_id]));
  });
  await t.step("inbound stores a signed webhook", async () => {
    const response = await world.receiveWebhook({ id: "evt_1", user: "ada" });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    assert.equal(response.body.accepted, 1);
  });
  await t.step("a restart under load loses nothing and ends no function", async () => {
    await using load = world.startLoad();
    await world.whileServing(load.acknowledged(100));
    await world.postgres.restart("fast");
    await world.whileServing(load.acknowledged(200));
    const eventIds = await world.whileServing(load.stop());
    assert.deepEqual(await world.findLost(eventIds), []);
    await world.whileServing(world.delivered(eventIds));
  });
  await t.step("each function responds afterwards", async () => {
    const response = await world.receiveWebhook({ id: "evt_2", user: "grace" });
    assert.equal(response.body.accepted, 1, JSON.stringify(response.body));
    assert.equal((await world.readCustomer("ada")).status, 200);
  });
});
