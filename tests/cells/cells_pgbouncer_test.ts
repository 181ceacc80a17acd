import { startPgBouncer } from "../../testing/postgres/pgbouncer.ts";
import { checkServesCells } from "../../testing/service/serves_cells.ts";

Deno.test("cells are databases of one PgBouncer, and each entry reaches its own", async (t) => {
  await checkServesCells(t, async ([url, otherUrl], logins) => ({
    pooler: await startPgBouncer({ url, mode: "transaction", size: 2, logins }),
    names: [new URL(url).pathname.slice(1), new URL(otherUrl).pathname.slice(1)],
  }));
});
