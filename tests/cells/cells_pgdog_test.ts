import { startPgDog } from "../../testing/postgres/pgdog.ts";
import { checkServesCells } from "../../testing/service/serves_cells.ts";

Deno.test("cells are databases of one PgDog, one name each, and each entry reaches its own", async (t) => {
  await checkServesCells(t, async ([url, otherUrl], logins) => ({
    pooler: await startPgDog({ databases: { cell_00: url, cell_01: otherUrl }, size: 2, logins }),
    names: ["cell_00", "cell_01"],
  }));
});
