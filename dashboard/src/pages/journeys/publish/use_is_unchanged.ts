import { useMemo } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { listRows, useApiList } from "../../../api/use_api.ts";
import { diffDefinitions } from "../model/diff_definitions.ts";
import type { NamedLists } from "../model/name_of.ts";
import { resolveNames } from "../model/resolve_names.ts";

/** Returns whether the draft is the same as the published version. */
export function useIsUnchanged({ id, version, definition }: Journey, lists: NamedLists): boolean {
  // The published version is the newest one.
  const versions = useApiList("GET /journeys/{id}/versions", {
    params: { id },
    query: { limit: "1" },
  }, { enabled: version !== null });
  const published = listRows(versions).find((row) => row.version === version);
  return useMemo(
    () =>
      published !== undefined &&
      diffDefinitions(
          published.definition as Definition,
          resolveNames(definition as Definition, lists),
        ).length === 0,
    [published, definition, lists],
  );
}
