import type { ApiBench } from "./api_bench.ts";

/** Something that a workspace can have, and that no event of a load concerns. */
export interface IdlePart {
  /** In the plural. */
  name: string;
  add(bench: ApiBench, n: number): Promise<unknown>;
  removeAll(bench: ApiBench, count: number): Promise<unknown>;
}

const readyMs = 10_000;
const pollMs = 100;

export const idleParts: readonly IdlePart[] = [
  {
    name: "destinations",
    add: (bench, n) => bench.addDestination({ eventType: `other_${n}` }),
    removeAll: ({ sql, workspaceId }) =>
      sql`delete from public.destinations where workspace_id = ${workspaceId}`,
  },
  {
    name: "segments",
    async add({ api }, n) {
      const condition = { event: `other_${n}`, within: "30d", count: { gte: 2 } };
      await api("PUT", `/segments/idle-${n}`, { name: `Idle ${n}`, condition });
      await waitUntilReady(() => api("GET", `/segments/idle-${n}`));
    },
    removeAll: ({ api }, count) => removeEach(count, (n) => api("DELETE", `/segments/idle-${n}`)),
  },
  {
    name: "journeys",
    async add({ api }, n) {
      const definition = {
        trigger: { event: `other_${n}` },
        entry: { again: "always" },
        start: "pause",
        steps: { pause: { wait: { for: "1d" } } },
      };
      await api("PUT", `/journeys/idle-${n}`, { name: `Idle ${n}`, definition });
      await api("POST", `/journeys/idle-${n}/publish`);
    },
    removeAll: ({ api }, count) => removeEach(count, (n) => api("DELETE", `/journeys/idle-${n}`)),
  },
];

async function removeEach(count: number, remove: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await remove(n);
}

async function waitUntilReady(read: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + readyMs;
  while ((await read() as { state: string }).state !== "ready") {
    if (performance.now() > until) throw new Error("Cannot measure: a segment is not ready");
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
