import { callApi } from "./call_api.ts";
import type { RunningStack } from "./running_stack.ts";
import { count, line } from "./text.ts";

/** A segment as the API returns it. */
interface Segment {
  id: string;
  name: string;
  state: "computing" | "ready";
  members: number;
}

const bought = { event: "purchase" };
/** The last week of the recording. */
const lastWeek = { since: "2024-06-23T00:00:00Z", until: "2024-06-30T00:00:00Z" };

/** The segments of the demo by key: a name and a condition. */
const segments: Readonly<Record<string, { name: string; condition: unknown }>> = {
  "demo-last-week": {
    name: "Seen in the last week of June 2024",
    condition: { event: "home", ...lastWeek },
  },
  "demo-lookers": {
    name: "Viewed 3 products, never bought",
    condition: {
      all: [{ event: "product_view", count: { gte: 3 } }, { ...bought, count: { eq: 0 } }],
    },
  },
  "demo-buyers": { name: "Bought twice", condition: { ...bought, count: { gte: 2 } } },
  "demo-carts": {
    name: "Filled a cart, never bought",
    condition: { all: [{ event: "add_to_cart" }, { not: bought }] },
  },
  "demo-email": {
    name: "Came by email and bought",
    condition: {
      ...bought,
      where: [{ property: "acquisition_channel", op: "eq", value: "email" }],
    },
  },
};

const patienceMs = 60_000;
const pollMs = 200;

/** Creates or replaces the demo's segments, and waits until their members are known. */
export async function setUpSegments(stack: RunningStack): Promise<Segment[]> {
  const made = [];
  for (const [key, body] of Object.entries(segments)) {
    const path = `/segments/${key}`;
    await callApi<Segment>(stack, { method: "PUT", path, body });
    made.push(await waitUntilReady(stack, path));
  }
  return made;
}

async function waitUntilReady(stack: RunningStack, path: string): Promise<Segment> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt;) {
    const segment = await callApi<Segment>(stack, { path });
    if (segment.state === "ready") return segment;
    await new Promise((go) => setTimeout(go, pollMs));
  }
  throw new Error(`Cannot read the members of "${path}": they are still being computed`);
}

/** The segments and their sizes as text for a terminal. */
export function formatSegments(made: readonly Segment[]): string {
  const rows = made.map(({ name, members }) => line(count(members), name));
  return ["Segments, by number of members", ...rows].join("\n");
}
