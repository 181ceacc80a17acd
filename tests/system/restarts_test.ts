import { survivesLosses } from "../../testing/postgres/survives_losses.ts";

Deno.test("twenty losses of the database under load lose no entry, no message and no function", async () => {
  await survivesLosses(Deno.execPath());
});
