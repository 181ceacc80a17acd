import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../local/postgres/ports.ts";
import { placeCluster } from "../../local/postgres/postgres_cluster.ts";
import { startServer } from "../../local/postgres/postgres_server.ts";
import { chooseSystemUser } from "../../local/postgres/system_user.ts";
import { makeServerDir } from "./server_dir.ts";

const home = "/usr/lib/postgresql/15";
const cron = "/usr/share/postgresql/15/extension/pg_cron.control";
const password = "test";
/** Sorted as people in the US expect, as hosted databases are. */
const locale = ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"];

/** The directory with pg_dump, pg_restore and psql of the same version. */
export const debianPrograms = join(home, "bin");

/** Running server of Debian's Postgres. */
export interface DebianPostgres extends AsyncDisposable {
  /** Of the superuser "postgres" and the database "postgres". */
  url: string;
}

export interface DebianOptions {
  /** Lines of `postgresql.conf`, for example `jit = on`. @default pg_cron is loaded */
  settings?: readonly string[];
  /** True keeps the server's crash safety, for benchmarks. @default false */
  durable?: boolean;
}

const cronSettings = ["shared_preload_libraries = 'pg_cron'", "cron.use_background_workers = on"];

/** Finds the folder of Debian's Postgres 15 with pg_cron; null if it is not installed. */
export function findDebianPostgres(): string | null {
  return existsSync(join(home, "bin", "pg_dump")) && existsSync(cron) ? home : null;
}

/** Starts an empty cluster of Debian's Postgres 15. */
export async function startDebianPostgres(
  { settings = cronSettings, durable = false }: DebianOptions = {},
): Promise<DebianPostgres> {
  const dir = await makeServerDir({ durable });
  const user = await chooseSystemUser(join(dir, "cluster"));
  const data = await placeCluster({ dir, password, major: 15, user, binaries: home, locale });
  appendFileSync(join(data, "postgresql.conf"), `${settings.join("\n")}\n`);
  const program = join(home, "bin", "postgres");
  const server = await startServer({
    program,
    data,
    user,
    choosePort: findFreePort,
    durable,
  });
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${server.port}/postgres`,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Deno.remove(dir, { recursive: true });
    },
  };
}
