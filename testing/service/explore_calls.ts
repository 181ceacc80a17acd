import { ownEventName } from "../access/api_entities.ts";

const november = { since: "2026-11-01T00:00:00Z", until: "2026-12-01T00:00:00Z" };

/** Calls of the catalogue and of explorations, by operationId. */
export const exploreCalls = {
  listCatalogue: { path: () => "/catalogue" },
  getCataloguedEvent: {
    entity: ownEventName,
    path: (name: string) => `/catalogue/${name}`,
  },
  updateEventDefinition: {
    entity: ownEventName,
    path: (name: string) => `/catalogue/${name}`,
    body: { description: "A page was seen." },
  },
  exploreCounts: { path: () => "/explore/counts", body: { event: { event: "seen" }, ...november } },
  exploreFunnel: {
    path: () => "/explore/funnel",
    body: { steps: [{ event: "seen" }, { event: "bought" }], within: "7d", ...november },
  },
  exploreRetention: {
    path: () => "/explore/retention",
    body: { start: { event: "seen" }, return: { event: "bought" }, ...november },
  },
  explorePaths: { path: () => "/explore/paths", body: { start: { event: "seen" }, ...november } },
} as const;
