import { openDashboardWorld } from "../../testing/browser/dashboard_world.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { tellPage } from "../../testing/browser/tell_page.ts";
import { startReceiver } from "../../testing/receivers/receiver.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { tasks } from "./tasks.ts";
import type { Walk } from "./walk.ts";

Deno.test("every task of a first day is done with a mouse", async (t) => {
  await using world = await openDashboardWorld();
  const receiver = await startReceiver({ behaviour: respond(200) });
  await using _receiver = { [Symbol.asyncDispose]: () => receiver.close() };
  const page = await world.openPage();
  const walk: Walk = { world, page, hands: makeMouse(page), receiver, key: "" };
  for (const { name, run } of tasks) {
    // Each task continues where the last one ended.
    if (!await t.step(name, () => tellPage(page, () => run(walk)))) break;
  }
});
