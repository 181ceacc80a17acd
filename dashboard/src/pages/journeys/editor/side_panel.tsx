import { ActionIcon, Button, Group, Stack, TextInput, Title } from "@mantine/core";
import { KebabHorizontalIcon, PlusIcon, TrashIcon, XIcon } from "@primer/octicons-react";
import { useEffect, useRef, useState } from "react";
import { isStepId } from "../../../api/journey_checks.ts";
import type { Step } from "../../../api/journey_definition.ts";
import { EndsFields } from "../fields/ends_fields.tsx";
import { EntryFields } from "../fields/entry_fields.tsx";
import { StepFields } from "../fields/step_fields.tsx";
import { ProblemPlace } from "../fields/problem_place.tsx";
import { kindLabels, kindOf } from "../model/describe_step.ts";
import { deleteBranchOff, deleteStep, renameStep, replaceStep } from "../model/edit_steps.ts";
import { endsPart, entryPart } from "../model/parts.ts";
import type { Problem } from "../model/problems.ts";
import { rememberSteps } from "./copied_steps.ts";
import { KindIcon } from "./kind_icon.tsx";
import { slotAfter, useEditor } from "./use_editor.ts";
import { Menu } from "../../../ui/overlays.tsx";

const none: readonly Problem[] = [];

/** Edits the open part of the journey: a step, the entry or the ends. */
export function SidePanel() {
  const { selected, definition, problems, isReadOnly } = useEditor();
  if (selected === undefined) return null;
  const step = definition.steps[selected];
  const own = problems.get(selected) ?? none;
  const path = step === undefined ? [] : ["steps", selected];
  return (
    <Stack gap="sm">
      <Heading key={`heading ${selected}`} kind={kindOfPart(selected, step)} />
      <ProblemPlace path={path} problems={own}>
        <fieldset disabled={isReadOnly} className="plain-fieldset">
          <Stack gap="sm">
            {step !== undefined && <StepPanel key={selected} id={selected} step={step} />}
            {selected === entryPart && <EntryFields />}
            {selected === endsPart && <EndsFields />}
          </Stack>
        </fieldset>
      </ProblemPlace>
    </Stack>
  );
}

function kindOfPart(part: string, step: Step | undefined): string {
  if (step !== undefined) return kindOf(step);
  return part === entryPart ? "entry" : "ends";
}

const partLabels: Readonly<Record<string, string>> = {
  ...kindLabels,
  entry: "Trigger and entry",
  ends: "Goal and exits",
};

/** Takes the focus when a part is opened, so that the keyboard continues there. */
function Heading({ kind }: { kind: string }) {
  const { close, selected, isReadOnly, focus: { asked, answered } } = useEditor();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (asked !== answered.current) title.current?.focus({ preventScroll: true });
    answered.current = asked;
  }, [asked]);
  return (
    <Group justify="space-between" wrap="nowrap">
      <Title order={2} size="h5" ref={title} tabIndex={-1} className="panel-title">
        <Group gap="xs" wrap="nowrap" component="span">
          <KindIcon kind={kind} />
          {partLabels[kind]}
        </Group>
      </Title>
      <Group gap={4} wrap="nowrap">
        {!isReadOnly && selected !== undefined && !selected.startsWith("@") && (
          <StepMenu id={selected} />
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Close the step"
          onClick={close}
        >
          <XIcon />
        </ActionIcon>
      </Group>
    </Group>
  );
}

function StepMenu({ id }: { id: string }) {
  const { definition, change, copy, marked, mark } = useEditor();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Actions of the step">
          <KebabHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => rememberSteps(copy())}>
          {marked.size > 0 ? "Copy the marked steps" : "Copy"}
        </Menu.Item>
        <Menu.Item onClick={() => mark(id)}>
          {marked.has(id) ? "Unmark" : "Mark for copying"}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item className="danger-item" onClick={() => change(deleteStep(definition, id))}>
          Delete this step
        </Menu.Item>
        <Menu.Item className="danger-item" onClick={() => change(deleteBranchOff(definition, id))}>
          Delete it and the steps that only it leads to
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function StepPanel({ id, step }: { id: string; step: Step }) {
  const editor = useEditor();
  const { definition, change, add } = editor;
  const slot = slotAfter(editor);
  return (
    <>
      <NameField id={id} />
      <StepFields
        id={id}
        step={step}
        onChange={(changed, field) =>
          change(
            replaceStep(definition, id, changed),
            field === undefined ? {} : { field: `${id} ${field}` },
          )}
      />
      <Group gap="xs" className="panel-buttons">
        {slot && (
          <Button
            variant="light"
            size="xs"
            leftSection={<PlusIcon />}
            onClick={() => add(slot)}
          >
            Add a step after this
          </Button>
        )}
        <Button
          variant="light"
          color="red"
          size="xs"
          leftSection={<TrashIcon />}
          onClick={() => change(deleteStep(definition, id))}
        >
          Delete
        </Button>
      </Group>
    </>
  );
}

/** The name of a step, which its ways and the log of a run show. Applied when the field is left. */
function NameField({ id }: { id: string }) {
  const { definition, change } = useEditor();
  const [name, setName] = useState(id);
  const isTaken = name !== id && Object.hasOwn(definition.steps, name);
  const error = isTaken
    ? "Another step has this name"
    : isStepId(name)
    ? undefined
    : "1 to 64 letters, digits, _ or -, with a letter or a digit first";
  const apply = () => {
    if (name === id) return;
    if (error === undefined) change(renameStep(definition, id, name), { select: name });
    else setName(id);
  };
  return (
    <TextInput
      label="Name"
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
      error={error}
    />
  );
}
