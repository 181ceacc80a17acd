import { findJourney, requireJourneyId } from "./journey_queries.ts";
import { buildStats } from "./build_stats.ts";
import { listStatCounts } from "./stats_queries.ts";
import { countStuckRuns } from "../runs/run_queries.ts";
import { countSteps, findDefinitions } from "./version_queries.ts";
import { journeyStats, statsQuery } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const getJourneyStats = defineRoute({
  operationId: "getJourneyStats",
  method: "GET",
  path: "/journeys/{id}/stats",
  tag: "Journeys",
  summary: "Count what happened at each step of a journey",
  description: "Counts one version or all of them, and is up to date within ten seconds. Lists " +
    "the steps of the version, or of the newest one, and any other steps that runs have been at.",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Journey",
  query: statsQuery,
  status: 200,
  response: journeyStats,
  async handle({ tx, workspaceId, params, query }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const key = { workspaceId, journeyId };
    const journey = requireFound(await findJourney(tx, key), "Journey");
    const version = query.version ?? journey.version;
    const [counts, standing, stuck, definitions] = await Promise.all([
      listStatCounts(tx, { ...key, version: query.version }),
      countSteps(tx, key),
      countStuckRuns(tx, key),
      findDefinitions(tx, { ...key, versions: version === null ? [] : [version] }),
    ]);
    const definition = version === null ? undefined : definitions.get(version);
    requireFound(query.version === undefined ? journey : definition, "Version");
    const stats = buildStats({ version: query.version ?? null, definition, counts, standing });
    return { ...stats, stuck };
  },
});
