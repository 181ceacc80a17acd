import assert from "node:assert/strict";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { createCellWorld } from "../../testing/service/cell_world.ts";
import { createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";
import { moveWorkspace } from "../../tools/cells/move_workspace.ts";

const minuteMs = 60_000;

/** A claimed message as a dispatcher reports that it begins to hand it over. */
async function claimOne({ sql, workspaceId }: SendWorld, sender_id: string) {
  const rows = await sql`
    select c.claim, c.send_id, c.email, c.template_version
    from private.claim_sends(gen_random_uuid(), 10) as c where c.sender_id = ${sender_id}`;
  assert.equal(rows.length, 1);
  return {
    ...rows[0],
    workspace_id: workspaceId,
    sender_id,
    message_id: "<m>",
    facts: {},
    links: [],
  };
}

/** Ids of the sends in the requests that a provider got. */
function readSendIds({ requests }: Awaited<ReturnType<SendWorld["receive"]>>): string[] {
  return requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)).Metadata.send_id);
}

Deno.test("messages move with their workspace: none is sent twice, and none is lost", async (t) => {
  await using cells = await createCellWorld();
  // The answer may take as long as the move, also on a busy machine.
  const patient = { httpDeadlineMs: 300_000 };
  await using here = await createSendWorld({ db: cells.servers.get("00")!.db, ...patient });
  const { encryptionKey, workspaceId } = here;
  await using there = await createSendWorld({ db: cells.servers.get("01")!.db, encryptionKey });
  const answer = Promise.withResolvers<void>();
  const slow = await here.receive({
    behaviour: async (exchange) => {
      await answer.promise;
      await respond(200)(exchange);
    },
  });
  const receiver = await here.receive();
  const add = async (port: number) => {
    const sender_id = await here.addSender(port, { provider: "postmark" });
    const customer_id = await here.addCustomer(`c${port}@example.com`);
    return { sender_id, customer_id };
  };
  const [far, near] = [await add(slow.port), await add(receiver.port)];
  const [claimed] = await here.create(near);
  const start = await claimOne(here, near.sender_id);
  const [started] = await here.create(far);
  const working = here.dispatch();
  await slow.waitForRequests(1);
  const [waiting] = await here.create({
    ...near,
    due_at: new Date(here.clock.now.getTime() + minuteMs),
  });

  await t.step("during the switch nothing is handed over", async () => {
    await moveWorkspace({
      cells: cells.cells,
      workspaceId,
      to: "01",
      drainMs: 0,
      settleMs: 0,
      async onStep(step) {
        if (step !== "take_out") return;
        const [row] = await here.sql`
          select b.decision from private.begin_sends(${JSON.stringify([start])}) as b`;
        assert.equal(row!.decision, "lost");
      },
    });
  });

  await t.step("an answer that arrives in the old cell changes nothing", async () => {
    answer.resolve();
    await working;
    assert.equal((await there.read(started!)).state, "sending");
  });

  await t.step("the new cell sends what waited, and repeats nothing", async () => {
    there.clock.now = new Date(Date.now() + 2 * minuteMs);
    await there.dispatch();
    const rows = await Promise.all([started, claimed, waiting].map((id) => there.read(id!)));
    assert.deepEqual(rows.map(({ state, reason }) => [state, reason]), [
      ["unknown", "interrupted"],
      ["sent", null],
      ["sent", null],
    ]);
    assert.deepEqual(readSendIds(slow), [started]);
    assert.deepEqual(readSendIds(receiver).sort(), [claimed, waiting].sort());
    const left = await there.sql`
      select from private.send_lanes where workspace_id = ${workspaceId} and in_flight <> 0`;
    assert.equal(left.length, 0);
  });
});
