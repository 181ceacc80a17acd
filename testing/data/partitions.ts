import type postgres from "postgres";

/**
 * Gives partition work seconds instead of milliseconds, for tests that hold a lock on purpose or let
 * weeks pass at once.
 */
export async function allowLongPartitionWork(sql: postgres.Sql): Promise<void> {
  for (const name of ["ensure_partitions", "drop_expired_partitions"]) {
    await sql.unsafe(`alter function private.${name}(timestamptz) set lock_timeout = '10s'`);
  }
}
