import postgres from "postgres";

/** A pool of connections; made by `connectDatabase`, ended by whoever made it. */
export type Sql = postgres.Sql;

/** Kind of pooler between a function and the database. */
export type Pooler = "none" | "session" | "transaction";

/** The roles that a function's statements run as. */
export interface Roles {
  /** Every statement runs as this one. */
  role: string;
  /** Those that its transactions may set. @default none */
  setRoles?: readonly string[];
}

export interface ConnectOptions extends Partial<Roles> {
  /** postgres:// address. */
  url: string;
  /** @default "transaction" on port 6543, where Supabase has its transaction pooler, else "none" */
  pooler?: Pooler | undefined;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Most connections at once. @default 4 */
  max?: number;
  /** A statement that takes longer is cancelled. @default 10000 */
  statementTimeoutMs?: number;
  /** Told what the server says besides its answers. @default nobody */
  onNotice?: (notice: postgres.Notice) => void;
}

const poolerPort = "6543";
const poolers = new WeakMap<Sql, Pooler>();
const rolesOfPools = new WeakMap<Sql, Roles>();

/**
 * A lazy pool: nothing connects before the first statement.
 *
 * Role and statement timeout are startup parameters, which cost no statement. A pooler refuses or
 * drops those, and what one of its clients sets another one may get: behind one, the address must
 * log in as a user that has just that role's rights. `checkRole` finds out whether it does.
 */
export function connectDatabase(options: ConnectOptions): Sql {
  const { url, role, setRoles = [], applicationName, max = 4, statementTimeoutMs = 10_000 } =
    options;
  const { onNotice = () => {}, pooler = usualPooler(url) } = options;
  const session = { ...role && { role }, statement_timeout: statementTimeoutMs };
  const sql = postgres(url, {
    max,
    // A transaction pooler hands each transaction to another server, where a prepared statement is
    // unknown.
    prepare: pooler !== "transaction",
    fetch_types: false,
    connect_timeout: 5,
    idle_timeout: 60,
    // The default grows to 20 s, for which callers would hang after the database is back.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 1),
    onnotice: onNotice,
    connection: { application_name: applicationName, ...pooler === "none" && session },
  });
  poolers.set(sql, pooler);
  if (role !== undefined) rolesOfPools.set(sql, { role, setRoles });
  return sql;
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

/** The roles that a pool was made for; undefined for one that takes whoever logs in. */
export function rolesOf(sql: Sql): Roles | undefined {
  return rolesOfPools.get(sql);
}
