import { BoundedMap } from "../_shared/cache/bounded_map.ts";

/** Scanners that look at a link with HEAD before they follow it. */
export interface Probes {
  /** Notes a HEAD request of a link of this send. */
  note(sendId: string, headers: Headers): void;
  /** Returns true if the same program has just sent a HEAD request for a link of this send. */
  isProbing(sendId: string, headers: Headers): boolean;
}

const probeMs = 10_000;
const maxSends = 10_000;

/** Remembers HEAD requests in the memory of one instance, for ten seconds. */
export function createProbes({ now }: { now: () => Date }): Probes {
  const probes = new BoundedMap<string, { agent: string; until: number }>(maxSends);
  const readAgent = (headers: Headers) => headers.get("user-agent") ?? "";
  return {
    note(sendId, headers) {
      probes.set(sendId, { agent: readAgent(headers), until: now().getTime() + probeMs });
    },
    isProbing(sendId, headers) {
      const probe = probes.get(sendId);
      return probe !== undefined && now().getTime() < probe.until &&
        probe.agent === readAgent(headers);
    },
  };
}
