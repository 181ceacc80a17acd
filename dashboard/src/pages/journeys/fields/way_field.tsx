import { ActionIcon, Group } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { useEditor } from "../editor/use_editor.ts";
import { describeStep } from "../model/describe_step.ts";
import { listInOrder } from "../model/list_steps.ts";
import { fillSlot, mayEnd, readSlot, type Slot } from "../model/slots.ts";
import { useMessage } from "./use_message.ts";
import { Select, Tooltip } from "../../../ui/overlays.tsx";

const end = "@end";

interface WayFieldProps {
  slot: Slot;
  label: string;
  /** Path of the field below its part, for its message. */
  path: readonly (string | number)[];
}

/** The step that a way leads to, and a button that puts a new step there. */
export function WayField({ slot, label, path }: WayFieldProps) {
  const editor = useEditor();
  const { definition, change, nameOf, add } = editor;
  const message = useMessage();
  const to = readSlot(definition, slot);
  const steps = listInOrder(definition).filter((id) => id !== slot.step).map((id) => ({
    value: id,
    label: `${id}: ${describeStep(definition.steps[id]!, nameOf)}`,
  }));
  const isUnknown = to !== undefined && !steps.some(({ value }) => value === to);
  const data = [
    ...steps,
    ...isUnknown ? [{ value: to, label: to }] : [],
    ...mayEnd(slot) ? [{ value: end, label: "End of the journey" }] : [],
  ];
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <Select
        label={label}
        data={data}
        value={to ?? (mayEnd(slot) ? end : null)}
        onChange={(next) => {
          change(fillSlot(definition, slot, next === null || next === end ? undefined : next));
        }}
        allowDeselect={false}
        error={message(...path)}
        style={{ flex: 1, minWidth: 0 }}
        searchable
      />
      <Tooltip label="Add a step here">
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={`Add a step: ${label}`}
          onClick={() => add(slot)}
        >
          <PlusIcon />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
