import assert from "node:assert/strict";
import type { Definition, Step } from "../../supabase/functions/_shared/journeys/definition.ts";
import { day, hour, type JourneyWorld, readPaths, second, testInWorlds } from "./journey_world.ts";

/** Local time, zone, and the instant: the end of a gap, or the first of two. */
const localTimes = [
  ["2027-03-14T02:30", "America/New_York", "2027-03-14T07:00Z"],
  ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30Z"],
  ["2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:00Z"],
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30Z"],
  ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:30Z"],
  ["2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45Z"],
  ["2018-11-04T00:00", "America/Sao_Paulo", "2018-11-04T03:00Z"],
  ["2026-04-24T00:30", "Africa/Cairo", "2026-04-23T22:00Z"],
  ["2027-03-28T00:30", "Asia/Beirut", "2027-03-27T22:00Z"],
  ["2026-09-06T00:30", "America/Santiago", "2026-09-06T04:00Z"],
  ["2011-12-30T09:00", "Pacific/Apia", "2011-12-30T10:00Z"],
  ["2026-06-01T09:00", "Asia/Kathmandu", "2026-06-01T03:15Z"],
] as const;

function waitUntil(until: Extract<Step, { wait: unknown }>["wait"], next?: string): Definition {
  const step = { wait: until, ...(next === undefined ? {} : { next }) };
  const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
  return {
    trigger: { event: "signed_up" },
    start: "wait",
    steps: { wait: step, ...(next === "mail" ? { mail: { send } } : {}) },
  };
}

const identify = (profile: object, attributes: object = {}) =>
  ({ kind: "identify", profile, attributes }) as never;

/** Reads when the only run that is inside continues. */
async function readWake(world: JourneyWorld): Promise<string | undefined> {
  const runs = await world.readRuns();
  assert.equal(runs.length, 1);
  return runs[0]!.wake_at?.toISOString().replace(/:00\.000Z$/, "Z");
}

testInWorlds("waits end at local times of the customer", {
  async "each local time of the table is the instant at which a run continues"(world) {
    const ids = await Promise.all(localTimes.map(([local], n) => {
      const definition = waitUntil({ until: { at: local.slice(11) } });
      return world.publish({ ...definition, trigger: { event: `signed_up_${n}` } });
    }));
    for (const [n, [local, zone, instant]] of localTimes.entries()) {
      world.now = Date.parse(instant) - 8 * hour;
      const external_id = `user-${n}`;
      await world.track(
        { ...identify({ timezone: zone }) as object, external_id } as never,
        { name: `signed_up_${n}`, external_id },
      );
      await world.settle();
      const [run] = await world.sql<{ wake_at: Date }[]>`
        select r.wake_at from public.journey_runs as r
        join public.identities as i on i.customer_id = r.customer_id
        where r.journey_id = ${ids[n]!} and i.value = ${external_id}
          and i.workspace_id = ${world.workspaceId}`;
      assert.equal(run!.wake_at.getTime(), Date.parse(instant), `${local} ${zone}`);
    }
  },

  async "a weekday is that of the customer"(world) {
    // Tuesday in UTC, Wednesday in Tokyo.
    world.now = Date.parse("2023-12-19T23:00Z");
    await world.publish(waitUntil({ until: { at: "05:00", weekdays: ["thu"] } }));
    await world.track(identify({ timezone: "Asia/Tokyo" }), { name: "signed_up" });
    await world.settle();
    assert.equal(await readWake(world), "2023-12-20T20:00Z");
  },

  async "a changed time zone moves a local wait, in both directions"(world) {
    world.now = Date.parse("2026-11-23T12:00Z");
    await world.publish(waitUntil({ until: { at: "09:00" } }));
    await world.track(identify({ timezone: "Europe/Berlin" }), { name: "signed_up" });
    await world.settle();
    assert.equal(await readWake(world), "2026-11-24T08:00Z");
    await world.track(identify({ timezone: "America/New_York" }));
    await world.settle();
    assert.equal(await readWake(world), "2026-11-23T14:00Z");
    await world.track(identify({ timezone: "Asia/Tokyo" }));
    await world.settle();
    assert.equal(await readWake(world), "2026-11-24T00:00Z");
    await world.pass(12 * hour);
    assert.deepEqual(await readPaths(world), ["wait next, completed"]);
  },

  async "a changed time zone of the workspace moves the waits of those without one"(world) {
    const { sql, workspaceId } = world;
    world.now = Date.parse("2026-11-23T12:00Z");
    await world.publish(waitUntil({ until: { at: "09:00" } }));
    await world.track({ name: "signed_up" });
    await world.settle();
    assert.equal(await readWake(world), "2026-11-24T09:00Z");
    await sql`
      update public.workspaces set timezone = 'Asia/Tokyo' where id = ${workspaceId}`;
    await world.settle();
    assert.equal(await readWake(world), "2026-11-24T00:00Z");
  },

  async "a changed time zone of the workspace moves dates that trigger"(world) {
    const { sql, workspaceId } = world;
    world.now = Date.parse("2026-11-23T12:00Z");
    const trigger = { date: "attributes.renews_at", at: "09:00" };
    await world.publish({ ...waitUntil({ for: "1d" }), trigger });
    await world.track(identify({}, { renews_at: "2026-11-24" }));
    await world.settle();
    await sql`
      update public.workspaces set timezone = 'Asia/Tokyo' where id = ${workspaceId}`;
    await world.pass(12 * hour - second);
    assert.deepEqual(await readPaths(world), []);
    await world.pass(second);
    assert.deepEqual(await readPaths(world), ["at wait"]);
  },

  async "a date that is missing, or no date, is never now"(world) {
    const until = { date: "attributes.renews_at" };
    await world.publish(waitUntil({ until }));
    await world.publish({
      ...waitUntil({ until, on_missing: "other" }),
      steps: { wait: { wait: { until, on_missing: "other" }, next: "other" }, other: { exit: {} } },
    });
    await world.track({ name: "signed_up" });
    await world.track({ name: "signed_up", external_id: "user-2", kind: "event" });
    await world.settle();
    assert.deepEqual((await readPaths(world)).toSorted(), [
      "wait missing, failed",
      "wait missing, failed",
      "wait missing, other end, completed",
      "wait missing, other end, completed",
    ]);
  },

  async "a date that is removed while a run waits leads to on_missing, and a mail is not late"(
    world,
  ) {
    const wait = { until: { date: "attributes.renews_at" }, on_missing: "mail" };
    await world.publish(waitUntil(wait, "mail"));
    await world.track(
      identify({}, { renews_at: new Date(world.now + 30 * day).toISOString() }),
      { name: "signed_up" },
    );
    await world.settle();
    await world.pass(10 * day);
    assert.deepEqual(await readPaths(world), ["at wait"]);
    await changeAt(world, { renews_at: null });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait missing, mail next, completed"]);
  },

  async "a date that moves into the past while a run waits ends the wait, and a mail is not late"(
    world,
  ) {
    const soon = new Date(world.now + 5 * day).toISOString();
    await world.publish(waitUntil({ until: { date: "attributes.renews_at" } }, "mail"));
    await world.track(
      identify({}, { renews_at: new Date(world.now + 30 * day).toISOString() }),
      { name: "signed_up" },
    );
    await world.settle();
    await world.pass(10 * day);
    await changeAt(world, { renews_at: soon });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait next, mail next, completed"]);
  },

  async "a mail after a wait that ended long before is late, even after other changes"(world) {
    const soon = new Date(world.now + 5 * day).toISOString();
    await world.publish(waitUntil({ until: { date: "attributes.renews_at" } }, "mail"));
    await world.track(identify({}, { renews_at: soon }), { name: "signed_up" });
    await world.settle();
    world.now += 10 * day;
    await changeAt(world, { other: 1 });
    await world.settle();
    assert.deepEqual(await readPaths(world), ["wait next, mail late, completed"]);
  },
});

/** Changes attributes of the customer as of the world's time. */
async function changeAt(world: JourneyWorld, attributes: object): Promise<void> {
  await world.track(identify({}, attributes));
  await world.sql`
    update public.customers set updated_at = ${new Date(world.now)}
    where workspace_id = ${world.workspaceId}`;
}
