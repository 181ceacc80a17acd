import { Alert, Stack } from "@mantine/core";
import { useMemo, useState } from "react";
import { readDefinition } from "../../../api/journey_checks.ts";
import type { Definition } from "../../../api/journey_definition.ts";
import { useDraftState } from "../../../api/use_draft.ts";
import { sortKeys } from "../../../format/sort_keys.ts";
import { DraftNotice } from "../../../ui/draft_notice.tsx";
import { JsonField } from "../fields/json_field.tsx";
import { describeProblem } from "../model/problems.ts";
import { useEditor } from "./use_editor.ts";

/** The whole definition as JSON. A text with faults changes nothing until they are fixed. */
export function JsonEditor() {
  const { journey, definition, change, isReadOnly } = useEditor();
  const [saved] = useState<unknown>(() => sortKeys(definition));
  const [shown, setShown, draft] = useDraftState(`journey-json:${journey.id}`, saved);
  const faults = useMemo(() => findFaults(shown), [shown]);
  const type = (value: unknown = "") => {
    setShown(value);
    if (findFaults(value).length > 0) return;
    change(value as Definition, { field: "json" });
    draft.forget();
  };
  return (
    <Stack gap="sm">
      <DraftNotice draft={draft} />
      {faults.length > 0 && (
        <Alert color="red" title="Fix these problems to use the text">
          {faults.map((fault) => <div key={fault}>{fault}</div>)}
        </Alert>
      )}
      <fieldset disabled={isReadOnly} className="plain-fieldset">
        <JsonField
          label="Definition"
          description="The format that the API uses, and that you can keep in git"
          value={shown}
          onChange={type}
          minRows={24}
          maxRows={60}
        />
      </fieldset>
    </Stack>
  );
}

function findFaults(value: unknown): readonly string[] {
  if (typeof value === "string") return ["This is not valid JSON"];
  const read = readDefinition(value);
  return read.ok ? [] : read.faults.map(describeProblem);
}
