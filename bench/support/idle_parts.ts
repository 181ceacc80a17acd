import type { ApiBench } from "./api_bench.ts";

/** Something that a workspace can have, and that no event of a load concerns. */
export interface IdlePart {
  /** In the plural. */
  name: string;
  add(bench: ApiBench, count: number): Promise<unknown>;
  remove(bench: ApiBench, count: number): Promise<unknown>;
}

/** Segments are compared by `bench automation`: with many customers, creating them takes too long here. */
export const idleParts: readonly IdlePart[] = [
  {
    name: "destinations",
    add: (bench, count) => repeat(count, (n) => bench.addDestination({ eventType: `other_${n}` })),
    remove: ({ sql, workspaceId }) =>
      sql`delete from public.destinations where workspace_id = ${workspaceId}`,
  },
  {
    name: "journeys",
    add: ({ api }, count) =>
      repeat(count, async (n) => {
        const definition = {
          trigger: { event: `other_${n}` },
          entry: { again: "always" },
          start: "pause",
          steps: { pause: { wait: { for: "1d" } } },
        };
        await api("PUT", `/journeys/idle-${n}`, { name: `Idle ${n}`, definition });
        await api("POST", `/journeys/idle-${n}/publish`);
      }),
    remove: ({ api }, count) => repeat(count, (n) => api("DELETE", `/journeys/idle-${n}`)),
  },
];

async function repeat(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await work(n);
}
