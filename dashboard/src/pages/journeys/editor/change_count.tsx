import { Text } from "@mantine/core";
import { useMemo } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import { listRows, useApiList } from "../../../api/use_api.ts";
import { countOf } from "../../../format/numbers.ts";
import { diffDefinitions } from "../model/diff_definitions.ts";
import { resolveNames } from "../model/resolve_names.ts";
import { useEditor } from "./use_editor.ts";

/** Number of parts of the draft that differ from the published version. Empty before the first one. */
export function ChangeCount() {
  const { journey: { id, version }, definition, lists } = useEditor();
  // The published version is the newest one.
  const versions = useApiList("GET /journeys/{id}/versions", {
    params: { id },
    query: { limit: "1" },
  });
  const published = listRows(versions).find((row) => row.version === version);
  const count = useMemo(
    () =>
      published &&
      diffDefinitions(published.definition as Definition, resolveNames(definition, lists)).length,
    [published, definition, lists],
  );
  if (count === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      {count === 0 ? "No changes" : countOf(count, "change")} since version {version}
    </Text>
  );
}
