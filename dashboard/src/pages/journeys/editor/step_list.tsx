import { ActionIcon, Badge, Box, Group, Text, UnstyledButton } from "@mantine/core";
import { PlusIcon, TrashIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import type { Step } from "../../../api/journey_definition.ts";
import { makeStepNamer } from "../model/describe_part.ts";
import { describeEnds, describeTrigger, describeWay, kindOf } from "../model/describe_step.ts";
import { deleteStep } from "../model/edit_steps.ts";
import { listInOrder } from "../model/list_steps.ts";
import { endsPart, entryPart } from "../model/parts.ts";
import { describeProblem } from "../model/problems.ts";
import { type FilledSlot, listSlots, startSlot } from "../model/slots.ts";
import { KindIcon } from "./kind_icon.tsx";
import { useEditor } from "./use_editor.ts";

/** The journey as an ordered list, which can do all that the canvas can. */
export function StepList() {
  const { definition, nameOf } = useEditor();
  const ids = listInOrder(definition);
  const start = { ...startSlot, to: definition.start || undefined };
  return (
    <ol className="step-list" aria-label="Steps">
      <ListItem
        part={entryPart}
        kind="entry"
        title="Trigger and entry"
        text={describeTrigger(definition.trigger, nameOf)}
      >
        <WayRow slot={start} label="" order={ids} />
      </ListItem>
      {ids.map((id, n) => (
        <StepItem key={id} id={id} number={n + 1} step={definition.steps[id]!} order={ids} />
      ))}
      <ListItem
        part={endsPart}
        kind="ends"
        title="Goal and exits"
        text={describeEnds(definition, nameOf) || "None"}
      />
    </ol>
  );
}

interface StepItemProps {
  id: string;
  number: number;
  step: Step;
  order: readonly string[];
}

function StepItem({ id, number, step, order }: StepItemProps) {
  const { definition, change, nameOf, isReadOnly } = useEditor();
  const nameStep = makeStepNamer({ definition, nameOf });
  return (
    <ListItem
      part={id}
      kind={kindOf(step)}
      title={`${number}. ${nameStep(id)}`}
      text={<Text span ff="monospace" size="xs">{id}</Text>}
      action={!isReadOnly && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete ${id}`}
          onClick={() => change(deleteStep(definition, id))}
        >
          <TrashIcon />
        </ActionIcon>
      )}
    >
      {listSlots(id, step).map((slot) => (
        <WayRow
          key={slot.way}
          slot={slot}
          label={describeWay(step, slot.way, nameOf)}
          order={order}
        />
      ))}
    </ListItem>
  );
}

interface ListItemProps {
  part: string;
  kind: string;
  title: string;
  text: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

function ListItem({ part, kind, title, text, action, children }: ListItemProps) {
  const { selected, select, problems, marked } = useEditor();
  const own = problems.get(part) ?? [];
  return (
    <li className="step-item" data-selected={selected === part || undefined}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <UnstyledButton
          className="step-title"
          data-step={part}
          onClick={() => select(part)}
          aria-current={selected === part ? "step" : undefined}
        >
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <KindIcon kind={kind} />
            <Box style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} className="break-anywhere">
                {title} {marked.has(part) && <Badge color="grape">Marked</Badge>}
              </Text>
              <Text size="sm" c="dimmed" className="break-anywhere">{text}</Text>
            </Box>
          </Group>
        </UnstyledButton>
        {action}
      </Group>
      {own.map((problem) => (
        <Text key={describeProblem(problem)} size="sm" c="red" className="break-anywhere">
          {describeProblem(problem)}
        </Text>
      ))}
      {children}
    </li>
  );
}

interface WayRowProps {
  slot: FilledSlot;
  label: string;
  order: readonly string[];
}

function WayRow({ slot, label, order }: WayRowProps) {
  const { add, select, isReadOnly, definition, nameOf } = useEditor();
  const { to } = slot;
  const isStep = to !== undefined && Object.hasOwn(definition.steps, to);
  const nameStep = makeStepNamer({ definition, nameOf });
  const target = to === undefined
    ? "the end"
    : isStep
    ? `${order.indexOf(to) + 1}. ${nameStep(to)}`
    : to;
  const text = `${label === "" ? "then" : label} → ${target}`;
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" className="way-row">
      {isStep
        ? (
          <UnstyledButton onClick={() => select(to)} className="way-link">
            <Text size="sm" className="break-anywhere">{text}</Text>
          </UnstyledButton>
        )
        : <Text size="sm" className="break-anywhere">{text}</Text>}
      {!isReadOnly && (
        <ActionIcon
          variant="subtle"
          aria-label={`Add a step: ${slot.step ?? "start"}, ${text}`}
          onClick={() => add(slot)}
        >
          <PlusIcon />
        </ActionIcon>
      )}
    </Group>
  );
}
