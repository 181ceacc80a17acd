import { join } from "node:path";
import { findFreePort } from "./ports.ts";
import { defaultMajor, findBinaryPackage, prepareBinaries } from "./postgres_binaries.ts";
import { placeCluster } from "./postgres_cluster.ts";
import { startServer } from "./postgres_server.ts";
import { stopOrphan } from "./postgres_orphan.ts";
import { chooseSystemUser } from "./system_user.ts";

export interface PostgresOptions {
  /** Made when missing; must belong to one caller at a time. */
  dir: string;
  /** Of the superuser "postgres". */
  password: string;
  /** The only one it may have; default: any free one. */
  port?: number;
  /** The one to take where nobody else has it. */
  preferredPort?: number;
  /** Another Postgres than the one that ships: an npm package like it, in this directory. */
  package?: { major: number; home: string };
  /** False trades crash safety for speed: for databases that live as long as a test run. */
  durable?: boolean;
  /** Allows logical replication, by which workspaces move between cells. @default false */
  isLogical?: boolean;
}

export interface PostgresServer {
  /** Of the superuser "postgres" and the database "postgres". */
  url: string;
  port: number;
  /** Resolves when the server is gone, whether stopped or crashed. */
  exited: Promise<void>;
  /** Ends every session, writes everything out and waits until no process is left. */
  stop(): Promise<void>;
}

/**
 * Starts an embedded Postgres on 127.0.0.1, creating its cluster when `dir` has none. A server
 * that a killed earlier run left behind is stopped first; committed data is kept.
 *
 * @throws Error with one clear sentence when another server owns the directory or the start fails.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const user = await chooseSystemUser(join(options.dir, "cluster"));
  const { major, home } = options.package ?? { major: defaultMajor, home: findBinaryPackage() };
  const binaries = await prepareBinaries(home, user);
  const data = await placeCluster({ ...options, major, user, binaries });
  await stopOrphan(data);
  const server = await startServer({
    program: join(binaries, "bin", "postgres"),
    data,
    user,
    choosePort: () => options.port ?? findFreePort(options.preferredPort),
    durable: options.durable ?? true,
    isLogical: options.isLogical ?? false,
  });
  const password = encodeURIComponent(options.password);
  const url = `postgresql://postgres:${password}@127.0.0.1:${server.port}/postgres`;
  return { ...server, url };
}
