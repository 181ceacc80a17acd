import { useMemo } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { listRows, useApiList } from "../../../api/use_api.ts";
import { diffDefinitions } from "../model/diff_definitions.ts";
import type { NamedLists } from "../model/name_of.ts";
import { resolveNames } from "../model/resolve_names.ts";

/**
 * Returns whether the draft is the same as the published version; undefined until that has been
 * read, and false before the first version.
 */
export function useIsUnchanged(
  { id, version, definition }: Journey,
  lists: NamedLists,
): boolean | undefined {
  // The published version is the newest one.
  const versions = useApiList("GET /journeys/{id}/versions", {
    params: { id },
    query: { limit: "1" },
  }, { enabled: version !== null });
  const published = listRows(versions).find((row) => row.version === version);
  return useMemo(() => {
    if (version === null) return false;
    if (published === undefined) return undefined;
    const draft = resolveNames(definition as Definition, lists);
    return diffDefinitions(published.definition as Definition, draft).length === 0;
  }, [published, definition, lists, version]);
}
