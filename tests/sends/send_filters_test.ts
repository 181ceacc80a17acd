import assert from "node:assert/strict";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";
import { createOwner } from "../../testing/service/api_sends.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

interface Engaged {
  senderId: string;
  feedback?: string;
  opened?: boolean;
  clicked?: boolean;
  unsubscribed?: boolean;
}

/** Stores sends a minute apart, in this order; returns their ids. */
async function storeSends(
  { sql }: ApiWorld,
  workspaceId: string,
  sends: readonly Engaged[],
): Promise<string[]> {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const rows = sends.map(({ senderId, feedback, ...rest }, n) => ({
    id: createUuidV7(new Date(hour - (sends.length - n) * 60_000)),
    sender_id: senderId,
    feedback: feedback ?? null,
    ...rest,
  }));
  await sql`
    insert into public.sends (
      workspace_id, queued_at, id, state, sender_id, feedback, opened_at, clicked_at,
      unsubscribed_at
    )
    select
      ${workspaceId}, private.uuid_v7_time(s.id), s.id, 'sent', s.sender_id, s.feedback,
      case when s.opened then now() end, case when s.clicked then now() end,
      case when s.unsubscribed then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as s (
      id uuid, sender_id uuid, feedback text, opened boolean, clicked boolean, unsubscribed boolean
    )`;
  return rows.map(({ id }) => id);
}

Deno.test("sends are listed and exported by sender and engagement, page by page", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const [main, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const sends: Engaged[] = [
    { senderId: main, feedback: "delivered", opened: true, clicked: true },
    { senderId: other, feedback: "delivered", opened: true },
    { senderId: main, feedback: "bounced" },
    { senderId: main, feedback: "soft_bounced" },
    { senderId: other, feedback: "complained", opened: true, unsubscribed: true },
    { senderId: main, opened: true },
    { senderId: main },
  ];
  const ids = await storeSends(world, world.workspaceId, sends);
  // The same in another workspace, with the same ids of senders.
  await storeSends(world, await world.createWorkspace(), sends);
  const readPages = async (query: string) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { status, body } = await act("GET", `/sends?limit=1&${query}${next}`);
      assert.equal(status, 200, JSON.stringify(body));
      found.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    return found;
  };
  const cases: [query: string, expected: number[]][] = [
    [`sender_id=${main}`, [6, 5, 3, 2, 0]],
    [`sender_id=${other}`, [4, 1]],
    [`sender_id=${crypto.randomUUID()}`, []],
    ["engagement=delivered", [1, 0]],
    ["engagement=soft_bounced", [3]],
    ["engagement=bounced", [2]],
    ["engagement=complained", [4]],
    ["engagement=opened", [5, 4, 1, 0]],
    ["engagement=clicked", [0]],
    ["engagement=unsubscribed", [4]],
    ["engagement=opened&sort=oldest", [0, 1, 4, 5]],
    [`engagement=opened&sender_id=${main}`, [5, 0]],
    [`engagement=opened&state=failed`, []],
  ];
  for (const [query, expected] of cases) {
    await t.step(query.replace(main, "main").replace(other, "other"), async () => {
      const wanted = expected.map((n) => ids[n]);
      assert.deepEqual(await readPages(query), wanted);
      const exported = await act("GET", `/sends/export?format=ndjson&${query}`);
      const lines = (exported.body ?? "").split("\n").filter(Boolean);
      assert.deepEqual(lines.map((line: string) => JSON.parse(line).id), wanted);
    });
  }
});

Deno.test("a wrong sender or engagement is reported at its parameter", async () => {
  await using world = await createApiWorld();
  const token = await world.createKey(["sends:read"]);
  for (const [name, value] of [["engagement", "read"], ["sender_id", "main"]]) {
    for (const path of ["/sends", "/sends/export"]) {
      const { status, body } = await world.send({ path: `${path}?${name}=${value}`, token });
      assert.deepEqual([status, body.details?.[0]?.field], [400, name], path);
    }
  }
});
