import { useMemo } from "react";
import type { Definition } from "../../api/journey_definition.ts";
import { useApiList } from "../../api/use_api.ts";

/** Definitions of the newest versions of a journey, by version; empty until they have loaded. */
export function useDefinitions(journeyId: string): ReadonlyMap<number, Definition> {
  const { data } = useApiList("GET /journeys/{id}/versions", { params: { id: journeyId } });
  return useMemo(
    () =>
      new Map(
        (data?.pages ?? []).flatMap((page) => page.data)
          .map(({ version, definition }) => [version, definition as Definition]),
      ),
    [data],
  );
}
