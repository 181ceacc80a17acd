import type postgres from "postgres";
import { ingestTexts } from "../../supabase/functions/_shared/entries/ingest.ts";

/** Events at a steady rate, whether or not the service keeps up. */
export interface PacedLoad {
  perSecond: number;
  seconds: number;
  /** Returns the workspace and the name of the next event. */
  pick: (n: number) => { workspaceId: string; name: string };
  /** Gives each event an idempotency key. @default false */
  hasKeys?: boolean;
}

/** When each event's transaction was known to be committed, in milliseconds since the epoch. */
export type Commits = Map<string, number>;

const tickMs = 5;
const maxBatch = 500;
const customers = 1_000;

/** Stores events as `track` does: what comes while one call is under way goes with the next. */
export async function publishPaced(sql: postgres.Sql, load: PacedLoad): Promise<Commits> {
  const commits: Commits = new Map();
  const startedAt = performance.now();
  const total = load.perSecond * load.seconds;
  let sent = 0;
  while (sent < total) {
    const elapsed = (performance.now() - startedAt) / 1000;
    const due = Math.min(total, Math.floor(elapsed * load.perSecond)) - sent;
    if (due === 0) {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
      continue;
    }
    const count = Math.min(due, maxBatch);
    const entries = Array.from({ length: count }, (_, i) => writeEvent(load, sent + i));
    sent += count;
    const results = await ingestTexts(sql, entries);
    const at = performance.timeOrigin + performance.now();
    for (const result of results) if (result.ok) commits.set(result.event_id, at);
  }
  return commits;
}

function writeEvent(load: PacedLoad, n: number): string {
  const { workspaceId, name } = load.pick(n);
  return JSON.stringify({
    workspace_id: workspaceId,
    kind: "event",
    external_id: `customer-${n % customers}`,
    name,
    ...load.hasKeys && { idempotency_key: crypto.randomUUID() },
    properties: { order_id: `order-${n}`, total: 129.9, currency: "EUR", items: 3 },
    context: { ip: "203.0.113.7", ua: "bench" },
  });
}
