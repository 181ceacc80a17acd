import { Checkbox, Stack } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import { useEditor } from "../editor/use_editor.ts";
import { setOrRemove } from "../model/slots.ts";
import { ConditionField } from "./condition_field.tsx";
import { DurationField } from "../../../ui/duration_field.tsx";
import { MatchedFields } from "./matched_fields.tsx";
import { useMessage } from "./use_message.ts";

/** The goal, and what else ends a run at any step. */
export function EndsFields() {
  const { definition, change } = useEditor();
  const message = useMessage();
  const { goal, exit_on, exit_when } = definition;
  const set = (changes: Partial<Pick<Definition, "goal" | "exit_on" | "exit_when">>) => {
    const [name, value] = Object.entries(changes)[0]!;
    change(setOrRemove(definition, name as "goal", value as Definition["goal"]), { field: name });
  };
  return (
    <>
      <Checkbox
        label="Goal: an event that ends the run with success"
        checked={goal !== undefined}
        onChange={(event) => set({ goal: event.currentTarget.checked ? { event: "" } : undefined })}
      />
      {goal && (
        <Stack gap="xs" className="inset">
          <MatchedFields value={goal} onChange={(value) => set({ goal: value })} path={["goal"]} />
          <DurationField
            label="Within"
            description="Leave empty for no limit"
            value={goal.within}
            onChange={(within) => set({ goal: setOrRemove(goal, "within", within) })}
            error={message("goal", "within")}
          />
        </Stack>
      )}
      <Checkbox
        label="An event that ends the run"
        checked={exit_on !== undefined}
        onChange={(event) =>
          set({ exit_on: event.currentTarget.checked ? { event: "" } : undefined })}
      />
      {exit_on && (
        <Stack gap="xs" className="inset">
          <MatchedFields
            value={exit_on}
            onChange={(value) => set({ exit_on: value })}
            path={["exit_on"]}
          />
        </Stack>
      )}
      <ConditionField
        label="A condition that ends the run"
        description="Checked at every step, within a second"
        value={exit_when}
        onChange={(condition) => set({ exit_when: condition as object | undefined })}
        error={message("exit_when")}
      />
    </>
  );
}
