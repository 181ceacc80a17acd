import assert from "node:assert/strict";
import { profileFieldNames } from "../../supabase/functions/_shared/entries/profile_names.ts";
import { createTrackWorld } from "../../testing/service/app.ts";

Deno.test("SQL, documents and TypeScript agree on the profile fields of a customer", async () => {
  await using world = await createTrackWorld();
  const { sql } = world.db;
  const [row] = await sql`select to_jsonb(private.profile_fields()) as fields`;
  assert.deepEqual(row!.fields, profileFieldNames);

  const { body } = await world.send({ type: "identify", external_id: "u1" });
  const [{ document }] = await sql`
    select d.document
    from public.customers as c
    cross join lateral private.customer_documents(c.workspace_id, array[c.id]) as d
    where c.id = ${body.customer_id}
  ` as unknown as [{ document: Record<string, unknown> }];
  const shown = Object.keys(document);
  assert.deepEqual(profileFieldNames.filter((field) => !shown.includes(field)), []);
});

Deno.test("an identify stores time zones and languages in canonical form, and null clears them", async () => {
  await using world = await createTrackWorld();
  const identify = { type: "identify", external_id: "u1" };
  const read = async () => {
    const [row] = await world.db.sql`select timezone, locale from public.customers`;
    return { ...row };
  };
  await world.send({ ...identify, timezone: "europe/kiev", locale: "uk-ua" });
  assert.deepEqual(await read(), { timezone: "Europe/Kyiv", locale: "uk-UA" });
  await world.send({ ...identify, timezone: "Asia/Calcutta" });
  assert.deepEqual(await read(), { timezone: "Asia/Kolkata", locale: "uk-UA" });
  const refused = await world.send({ ...identify, timezone: "Mars/Olympus" });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.details, [{
    field: "timezone",
    message: 'must be an IANA time zone, like "Europe/Berlin"',
  }]);
  await world.send({ ...identify, timezone: null, locale: null });
  assert.deepEqual(await read(), { timezone: null, locale: null });
});
