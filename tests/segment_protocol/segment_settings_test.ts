import assert from "node:assert/strict";
import { findFreePort } from "../../local/postgres/ports.ts";
import { createTrackWorld, startTrack } from "../../testing/service/app.ts";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";

const free = { method: "GET", headers: { authorization: undefined } };

Deno.test("the settings of a key contain only where Segment's libraries send to", async () => {
  await using world = await createTrackWorld();
  const path = `/track/v1/projects/${world.key}/settings`;
  const { status, body, headers } = await world.send(undefined, {
    path,
    method: "GET",
    headers: { authorization: undefined, origin: "https://shop.example" },
  });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    integrations: {
      "Segment.io": {
        apiKey: world.key,
        apiHost: "x.supabase.co/functions/v1/track/v1",
        protocol: "https",
      },
    },
    metrics: { sampleRate: 0 },
    plan: {},
  });
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.equal(headers.get("cache-control"), "public, max-age=3600");
});

Deno.test("settings do not reveal which keys exist", async () => {
  await using world = await createTrackWorld();
  const { key } = await generateApiKey();
  const unknown = await world.send(undefined, {
    ...free,
    path: `/track/v1/projects/${key}/settings`,
  });
  assert.equal(unknown.status, 200);
  for (const malformed of ["pk_x", "null", `${world.key}x`, encodeURIComponent("../api")]) {
    const path = `/track/v1/projects/${malformed}/settings`;
    const { status, body } = await world.send(undefined, { ...free, path });
    assert.deepEqual([status, body.code], [404, "not_found"]);
  }
  const [row] = await world.db.sql`select last_used_at from private.api_keys`;
  assert.equal(row!.last_used_at, null);
});

Deno.test("settings are available while the database is down", async () => {
  const { key } = await generateApiKey();
  const url = `postgres://nobody@127.0.0.1:${findFreePort()}/none`;
  await using track = startTrack({ url, key });
  const path = `/track/v1/projects/${key}/settings`;
  assert.equal((await track.send(undefined, { ...free, path })).status, 200);
  const event = { userId: "u1", event: "E" };
  assert.equal((await track.send(event, { path: "/track/v1/track" })).status, 503);
});
