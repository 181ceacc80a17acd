import { survivesLosses } from "../../testing/postgres/survives_losses.ts";

Deno.test("on the hosted Deno, twenty losses of the database lose no entry, no message and no function", async () => {
  await survivesLosses();
});
