import postgres from "postgres";
import type { DatabaseConfig } from "../config/config.ts";
import { type Cells, firstCell, mapCells } from "../config/cells.ts";

/** A pool of connections, created by `connectDatabase` and closed by its creator. */
export type Sql = postgres.Sql;

/** Kind of pooler between a function and the database. */
export type Pooler = "none" | "session" | "transaction";

/** The roles that a function's statements run as. */
export interface Roles {
  /** Role of every statement. */
  role: string;
  /** Roles that transactions may set. @default none */
  setRoles?: readonly string[];
}

export interface ConnectOptions extends Partial<Roles> {
  /** A postgres:// URL. */
  url: string;
  /** @default "transaction" on port 6543, where Supabase has its transaction pooler, else "none" */
  pooler?: Pooler | undefined;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Most concurrent connections. @default 4 */
  max?: number;
  /** Longest time for a statement before it is cancelled, in milliseconds. @default 10000 */
  statementTimeoutMs?: number;
  /**
   * Longest time without an answer to a statement, in milliseconds. After that the database must be
   * hanging, because it would have cancelled the statement. The connection is given up, and so are
   * the statements that wait for a connection. @default statementTimeoutMs + 2000
   */
  answerTimeoutMs?: number;
  /** Receives the server's notices. @default ignores them */
  onNotice?: (notice: postgres.Notice) => void;
}

const poolerPort = "6543";
const poolers = new WeakMap<Sql, Pooler>();
const rolesOfPools = new WeakMap<Sql, Roles>();

/**
 * Creates a lazy pool, which connects at the first statement.
 *
 * Role, statement timeout and `jit` are startup parameters, which cost no statement. A pooler refuses
 * or drops them, and may pass one client's settings to another. Behind a pooler, the URL must
 * therefore log in as a user with exactly that role's rights. `checkRole` verifies it.
 */
export function connectDatabase(options: ConnectOptions): Sql {
  const { url, role, setRoles = [], applicationName, max = 4, statementTimeoutMs = 10_000 } =
    options;
  const { onNotice = () => {}, pooler = usualPooler(url) } = options;
  const { answerTimeoutMs = statementTimeoutMs + 2000 } = options;
  // Compiling a statement takes longer than running it, and Debian's servers compile by default.
  const session = { ...role && { role }, statement_timeout: statementTimeoutMs, jit: "off" };
  const driverOptions = {
    max,
    // A transaction pooler sends each transaction to a different server, which does not know the
    // prepared statement.
    prepare: pooler !== "transaction",
    fetch_types: false,
    connect_timeout: Math.min(5, answerTimeoutMs / 1000),
    idle_timeout: 60,
    // The default grows to 20 s, and callers would still hang after the database is back.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 1),
    // Read by the patched driver, in seconds.
    answer_timeout: answerTimeoutMs / 1000,
    onnotice: onNotice,
    connection: { application_name: applicationName, ...pooler === "none" && session },
  };
  const sql = postgres(url, driverOptions);
  poolers.set(sql, pooler);
  if (role !== undefined) rolesOfPools.set(sql, { role, setRoles });
  return sql;
}

/** Pools of the databases of all cells. */
export interface CellDatabases {
  /** The first cell's. */
  sql: Sql;
  /** Those of the other cells. @default none */
  otherCells?: Cells<Sql> | undefined;
}

/** Creates one lazy pool per cell. */
export function connectCells(
  config: DatabaseConfig,
  options: Omit<ConnectOptions, "url" | "pooler">,
): CellDatabases {
  const connect = (url: string) =>
    connectDatabase({ ...options, url, pooler: config.DATABASE_POOLER });
  return {
    sql: connect(config.SUPABASE_DB_URL),
    otherCells: mapCells(config.CELL_DATABASE_URLS ?? new Map(), connect),
  };
}

/** Lists the pools of all cells, the first cell first. */
export function listCells({ sql, otherCells = new Map() }: CellDatabases): Cells<Sql> {
  return new Map([[firstCell, sql], ...otherCells]);
}

function usualPooler(url: string): Pooler {
  return new URL(url).port === poolerPort ? "transaction" : "none";
}

/**
 * Checks whether NOTIFY arrives: behind a transaction pooler, LISTEN runs on a server that other
 * clients get.
 */
export function canListen(sql: Sql): boolean {
  return poolers.get(sql) !== "transaction";
}

/** Returns the roles of a pool; undefined for a pool that uses the login's role. */
export function rolesOf(sql: Sql): Roles | undefined {
  return rolesOfPools.get(sql);
}
