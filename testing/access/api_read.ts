/** A kind of read, and what its n-th call asks for. */
export interface ApiRead {
  operationId: string;
  title: string;
  path: (n: number) => string;
}

/** Calls of a route: what each asks for, and its n-th path. */
export type Reads = Record<string, [title: string, path: (n: number) => string][]>;

const hourMs = 3_600_000;

/** Picks the n-th id of a list that begins again at its end. */
export function pick(ids: readonly string[], n: number): string {
  return ids[n % ids.length] ?? "";
}

/** Returns the time so many hours ago. */
export function ago(hours: number): string {
  return new Date(Date.now() - hours * hourMs).toISOString();
}
