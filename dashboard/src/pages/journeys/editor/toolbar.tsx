import { ActionIcon, Badge, Button, Group, Text } from "@mantine/core";
import {
  BeakerIcon,
  CodeIcon,
  GoalIcon,
  type Icon,
  ListOrderedIcon,
  RedoIcon,
  UndoIcon,
  WorkflowIcon,
} from "@primer/octicons-react";
import { countOf } from "../../../format/numbers.ts";
import { describeEnds } from "../model/describe_step.ts";
import { endsPart } from "../model/parts.ts";
import { useEditor } from "./use_editor.ts";
import type { SaveState } from "./save_state.ts";
import { ChangeCount } from "./change_count.tsx";
import { Tooltip } from "../../../ui/overlays.tsx";

export type View = "canvas" | "list" | "json";

const views: { value: View; label: string; icon: Icon }[] = [
  { value: "canvas", label: "Canvas", icon: WorkflowIcon },
  { value: "list", label: "List", icon: ListOrderedIcon },
  { value: "json", label: "JSON", icon: CodeIcon },
];

interface ToolbarProps {
  view: View;
  setView: (view: View) => void;
  isTesting: boolean;
  toggleTest: () => void;
}

/** Views, undo and redo, the goal, the test, and whether the draft is saved. */
export function Toolbar({ view, setView, isTesting, toggleTest }: ToolbarProps) {
  const { select, definition, nameOf, undo, redo, problems, isReadOnly } = useEditor();
  const ends = describeEnds(definition, nameOf);
  const count = problems.get(endsPart)?.length ?? 0;
  return (
    <Group gap="xs" mb="sm" role="toolbar" aria-label="Editor">
      <Button.Group>
        {views.map(({ value, label, icon: Icon }) => (
          <Button
            key={value}
            variant={view === value ? "light" : "default"}
            size="xs"
            leftSection={<Icon />}
            aria-pressed={view === value}
            onClick={() => setView(value)}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
      {!isReadOnly && (
        <Group gap={4}>
          <IconButton label="Undo" icon={UndoIcon} onClick={undo} />
          <IconButton label="Redo" icon={RedoIcon} onClick={redo} />
        </Group>
      )}
      <Tooltip label={ends || "No goal and no exits yet"}>
        <Button
          variant="default"
          size="xs"
          leftSection={<GoalIcon />}
          rightSection={count > 0 ? <Badge color="red" size="sm">{count}</Badge> : null}
          onClick={() => select(endsPart)}
        >
          Goal and exits
        </Button>
      </Tooltip>
      <Button
        variant={isTesting ? "light" : "default"}
        size="xs"
        leftSection={<BeakerIcon />}
        aria-pressed={isTesting}
        onClick={toggleTest}
      >
        Test
      </Button>
      <SaveStatus />
      <ChangeCount />
    </Group>
  );
}

interface IconButtonProps {
  label: string;
  icon: Icon;
  onClick: (() => void) | undefined;
}

function IconButton({ label, icon: Icon, onClick }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        disabled={onClick === undefined}
        onClick={onClick}
      >
        <Icon />
      </ActionIcon>
    </Tooltip>
  );
}

const stateTexts: Readonly<Record<SaveState, string>> = {
  saved: "Draft saved",
  saving: "Saving…",
  invalid: "Not saved",
  failed: "Not saved",
  conflict: "Not saved",
};

/** Says that the draft has problems that keep it from being saved. */
function Unsaved({ count }: { count: number }) {
  return (
    <Tooltip label="Your changes are kept in this tab until then">
      <Text size="xs" c="red" role="status" tabIndex={0}>
        Not saved: fix {countOf(count, "problem")}
      </Text>
    </Tooltip>
  );
}

function SaveStatus() {
  const { saving, problems, isReadOnly } = useEditor();
  const count = [...problems.values()].reduce((sum, each) => sum + each.length, 0);
  if (isReadOnly) return <Text size="xs" c="dimmed">Only admins can change it</Text>;
  if (saving.state === "invalid" && count > 0) return <Unsaved count={count} />;
  return (
    <Group gap="xs" role="status">
      <Text size="xs" c={stateTexts[saving.state] === stateTexts.failed ? "red" : "dimmed"}>
        {stateTexts[saving.state]}
      </Text>
      {count > 0 && <Badge color="red">{count === 1 ? "1 problem" : `${count} problems`}</Badge>}
      {saving.state === "failed" && (
        <Button size="compact-xs" variant="light" onClick={saving.retry}>Try again</Button>
      )}
    </Group>
  );
}
