import { Alert, Stack } from "@mantine/core";
import { useState } from "react";
import { type Definition, readDefinition } from "../../../api/journey_definition.ts";
import { sortKeys } from "../../../format/sort_keys.ts";
import { JsonField } from "../fields/json_field.tsx";
import { describeProblem } from "../model/problems.ts";
import { useEditor } from "./use_editor.ts";

/** The whole definition as JSON. A text with faults changes nothing until they are fixed. */
export function JsonEditor() {
  const { definition, change, isReadOnly } = useEditor();
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [shown, setShown] = useState<unknown>(() => sortKeys(definition));
  const type = (value: unknown) => {
    setShown(value);
    if (typeof value === "string" || value === undefined) {
      setFaults(["This is not valid JSON"]);
      return;
    }
    const read = readDefinition(value);
    setFaults(read.ok ? [] : read.faults.map(describeProblem));
    if (read.ok) change(value as Definition, { field: "json" });
  };
  return (
    <Stack gap="sm">
      {faults.length > 0 && (
        <Alert color="red" title="These problems keep the text from being used">
          {faults.map((fault) => <div key={fault}>{fault}</div>)}
        </Alert>
      )}
      <fieldset disabled={isReadOnly} className="plain-fieldset">
        <JsonField
          label="Definition"
          description="As the API and files in git have it"
          value={shown}
          onChange={type}
          minRows={24}
          maxRows={60}
        />
      </fieldset>
    </Stack>
  );
}
