import { members } from "./actors.ts";
import type { Write } from "./write.ts";

const span = `"since": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"`;
const event = `{"event": "seen"}`;
const queries = {
  counts: `{"event": ${event}, "interval": "day", ${span}}`,
  funnel: `{"steps": [${event}, ${event}], "within": "1d", ${span}}`,
  retention: `{"start": ${event}, "return": ${event}, "interval": "week", "periods": 1, ${span}}`,
  paths: `{"start": ${event}, "within": "1d", "depth": 1, "top": 1, ${span}}`,
};

/** Explorations: what each shows to whom. */
export const exploreLookups: readonly Write[] = [
  ...Object.entries(queries).map(([kind, query]): Write => ({
    title: `exploration: ${kind}`,
    statement: ({ workspaceId }) =>
      `select from private.explore_${kind}('${workspaceId}', '${query}') as found
       where found is not null`,
    right: members("events:read"),
  })),
  {
    title: "a place for an exploration",
    statement: ({ workspaceId }) =>
      `select from private.begin_exploration('${workspaceId}', true) as place where place = 'begun'`,
    right: members("events:read"),
  },
];
