import { survivesLosses } from "../../testing/postgres/restarts.ts";

Deno.test("on the hosted Deno, twenty losses of the database lose no entry, no message and no function", async () => {
  await survivesLosses();
});
