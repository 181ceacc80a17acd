import type { Definition } from "../../../_shared/journeys/definition.ts";
import { type ErrorDetail, invalidInput } from "../../../_shared/errors/errors.ts";
import { describeFaults, type JsonFault } from "../../../_shared/json/json.ts";
import { checkGraph } from "./check_graph.ts";
import { type Referent, resolveReferences } from "./references.ts";

/** Most problems that the error of a refused publication lists. */
export const maxProblems = 100;

/**
 * Returns the definition as it is published, with ids instead of keys.
 *
 * @param others faults that were found elsewhere
 * @throws {ApiError} `invalid_input` with all faults of the definition, up to `maxProblems`.
 */
export function requirePublishable(
  definition: Definition,
  found: readonly Referent[],
  others: readonly JsonFault[] = [],
): Definition {
  const resolved = resolveReferences(definition, found);
  const details = listProblems(definition, [...resolved.faults, ...others]);
  if (details.length > 0) throw invalidInput(details.slice(0, maxProblems));
  return resolved.definition;
}

/** Lists the problems that keep a definition from being published, as `requirePublishable`. */
export function findProblems(
  definition: Definition,
  found: readonly Referent[],
  others: readonly JsonFault[] = [],
): ErrorDetail[] {
  const { faults } = resolveReferences(definition, found);
  return listProblems(definition, [...faults, ...others]).slice(0, maxProblems);
}

function listProblems(
  definition: Definition,
  faults: readonly JsonFault[],
): ErrorDetail[] {
  const all = [...checkGraph(definition), ...faults];
  return describeFaults(all.map(({ path, message }) => ({
    path: ["definition", ...path],
    message,
  })));
}
