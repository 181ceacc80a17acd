import postgres from "postgres";

/** A pool of connections; made by `connectDatabase`, ended by whoever made it. */
export type Sql = postgres.Sql;

export interface ConnectOptions {
  /** postgres:// address; port 6543 is taken for a transaction pooler. */
  url: string;
  /** Role every statement runs as. */
  role?: string;
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
// A "begin" that is the last to fit would be sent on a connection that others go on using
// (porsager/postgres #1189). The driver's types do not know of the option.
const pipelining: object = { max_pipeline: Infinity };

/**
 * A lazy pool: nothing connects before the first statement.
 *
 * The role is a startup parameter, which costs no statement but which a transaction pooler drops:
 * behind one, the address must log in as a user that has just that role's rights.
 */
export function connectDatabase(options: ConnectOptions): Sql {
  const { url, role, applicationName, max = 4, statementTimeoutMs = 10_000 } = options;
  const { onNotice = () => {} } = options;
  const isPooled = new URL(url).port === poolerPort;
  return postgres(url, {
    max,
    // A pooler hands each transaction to another server, where a prepared statement is unknown.
    prepare: !isPooled,
    fetch_types: false,
    connect_timeout: 5,
    idle_timeout: 60,
    // The default grows to 20 s, for which callers would hang after the database is back.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 1),
    onnotice: onNotice,
    ...pipelining,
    connection: {
      application_name: applicationName,
      ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
      ...(isPooled || role === undefined ? {} : { role }),
    },
  });
}
