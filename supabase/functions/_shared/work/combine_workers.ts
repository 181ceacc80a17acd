import type { Cells } from "../config/cells.ts";
import type { ClaimWorker } from "./worker.ts";

/** Combines the workers of all cells; each has its own loop. */
export function combineWorkers(workers: Cells<ClaimWorker>): ClaimWorker {
  const all = [...workers.values()];
  return {
    wake: () => Promise.all(all.map((one) => one.wake())).then(() => {}),
    stop: (graceMs) => Promise.all(all.map((one) => one.stop(graceMs))).then(() => {}),
  };
}
