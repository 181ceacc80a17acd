import type { Definition } from "../../../_shared/journeys/definition.ts";
import { requirePublishable } from "../../contract/journeys/check_definition.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { findLiquidFaults } from "./find_liquid_faults.ts";
import { findJourney, type JourneyKey } from "./journey_queries.ts";
import { findDefinitions, findReferents } from "./version_queries.ts";

/** Returns the definition of a version with ids instead of keys; of the draft without a version. */
export async function findRunnable(
  tx: CallerSql,
  { version, ...key }: JourneyKey & { version: number | undefined },
): Promise<Definition> {
  if (version !== undefined) {
    const found = await findDefinitions(tx, { ...key, versions: [version] });
    return requireFound(found.get(version), "Version");
  }
  const { definition } = requireFound(await findJourney(tx, key), "Journey");
  const { workspaceId } = key;
  const found = await findReferents(tx, { workspaceId, definition });
  return requirePublishable(definition, found, findLiquidFaults(definition));
}
