/** Numbers of rows in a large workspace. */
export interface WorkspaceSize {
  events: number;
  customers: number;
  deliveries: number;
  /** Receipts of sources in 30 days. */
  receipts: number;
  /** Entries that were refused in 7 days. */
  rejectedEntries: number;
  auditRows: number;
  /** Messages that wait for their next attempt. */
  backlog: number;
  /** Other workspaces, small ones. */
  neighbours: number;
}

/** Size that the benchmarks use. */
export const fullSize: WorkspaceSize = {
  events: 5_000_000,
  customers: 200_000,
  deliveries: 1_000_000,
  receipts: 100_000,
  rejectedEntries: 20_000,
  auditRows: 50_000,
  backlog: 20_000,
  neighbours: 2_000,
};
