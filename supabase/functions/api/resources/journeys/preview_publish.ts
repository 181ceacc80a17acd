import type { Definition } from "../../../_shared/journeys/definition.ts";
import { findSurvivor } from "../../../_shared/journeys/survivor.ts";
import { findLiquidFaults } from "./find_liquid_faults.ts";
import { findJourney, requireJourneyId } from "./journey_queries.ts";
import { countSteps, findDefinitions, findReferents, type StepCount } from "./version_queries.ts";
import { findProblems } from "../../contract/journeys/check_definition.ts";
import { publishPreview } from "../../contract/journeys.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";

export const previewPublish = defineRoute({
  operationId: "previewPublish",
  method: "GET",
  path: "/journeys/{id}/publish-preview",
  tag: "Journeys",
  summary: "Show what publishing the draft would do",
  description: "Shows what prevents publishing, how many runs stand at each step, and where they " +
    "would continue with `inside: move`.",
  scopes: ["journeys:read"],
  leastRole: "viewer",
  params: namedParams,
  entity: "Journey",
  status: 200,
  response: publishPreview,
  async handle({ tx, workspaceId, params }) {
    const journeyId = await requireJourneyId(tx, { workspaceId, name: params.id });
    const key = { workspaceId, journeyId };
    const { definition, version, active_runs } = requireFound(
      await findJourney(tx, key),
      "Journey",
    );
    const [found, counts] = await Promise.all([
      findReferents(tx, { workspaceId, definition }),
      countSteps(tx, key),
    ]);
    const versions = [...new Set(counts.map(({ version }) => version))];
    const definitions = await findDefinitions(tx, { ...key, versions });
    return {
      version: (version ?? 0) + 1,
      problems: findProblems(definition, found, findLiquidFaults(definition)),
      active_runs,
      steps: counts.map((count) => ({
        ...count,
        moves_to: findTarget(definitions, definition, count),
      })),
    };
  },
});

function findTarget(
  definitions: ReadonlyMap<number, Definition>,
  draft: Definition,
  { version, step }: StepCount,
): string | null {
  const old = definitions.get(version);
  return old === undefined ? null : findSurvivor(old, draft, step) ?? null;
}
