import { Checkbox, Stack } from "@mantine/core";
import { latePanel } from "../../ui/late_panel.tsx";
import type { DestinationForm } from "./use_destination_form.ts";

const ConditionEditor = latePanel(async () =>
  (await import("../../conditions/condition_editor.tsx")).ConditionEditor
);

const options = { isAboutEvent: true };

interface FilterFieldProps {
  form: DestinationForm;
  /** Error of the last attempt to save. */
  error: Error | null;
}

/** The condition that a message must meet, or none. */
export function FilterField({ form, error }: FilterFieldProps) {
  const { filter, event_types: types } = form.values;
  const [only, another] = types;
  const isOneEvent = only !== undefined && another === undefined && !only.endsWith("*");
  return (
    <Stack gap={6}>
      <Checkbox
        label="Only events that meet a condition"
        checked={filter !== null}
        onChange={(event) =>
          form.setFieldValue("filter", event.currentTarget.checked ? { all: [] } : null)}
      />
      {filter !== null && (
        <ConditionEditor
          label="Filter"
          subject="events"
          value={filter}
          onChange={(value) => form.setFieldValue("filter", value)}
          options={options}
          event={isOneEvent ? only : ""}
          error={error}
          root="filter"
          showsMissing={form.errors.filter !== undefined}
        />
      )}
    </Stack>
  );
}
