import { ActionIcon, Button } from "@mantine/core";
import { KebabHorizontalIcon, PlusIcon } from "@primer/octicons-react";
import type { RefObject } from "react";
import type { ReadOptions } from "../api/conditions.ts";
import type { NewKind } from "./draft.ts";
import { useSettings } from "./settings.ts";
import { Menu } from "../ui/overlays.tsx";

/** Actions on a condition as a member of its group. */
export interface NodeActions {
  remove: () => void;
  duplicate: () => void;
}

/** Switches between a condition and its opposite. */
export function NotButton({ isNegated, toggle }: { isNegated: boolean; toggle: () => void }) {
  return (
    <Button
      variant={isNegated ? "filled" : "default"}
      color={isNegated ? "red" : undefined}
      size="compact-sm"
      aria-pressed={isNegated}
      onClick={toggle}
    >
      Not
    </Button>
  );
}

interface NodeMenuProps {
  actions: NodeActions;
  wrap: () => void;
  /** Takes the only member out of its group. */
  unwrap: (() => void) | undefined;
}

/** Further actions on a condition. */
export function NodeMenu({ actions, wrap, unwrap }: NodeMenuProps) {
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="input-xs" aria-label="Condition actions">
          <KebabHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={actions.duplicate}>Duplicate</Menu.Item>
        <Menu.Item onClick={wrap}>Put into a group</Menu.Item>
        {unwrap && <Menu.Item onClick={unwrap}>Take out of the group</Menu.Item>}
        <Menu.Item className="danger-item" onClick={actions.remove}>Remove</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const menuItems: { kind: NewKind; label: string }[] = [
  { kind: "property", label: "Property of the event" },
  { kind: "context", label: "Context of the event" },
  { kind: "field", label: "Field or attribute" },
  { kind: "event", label: "Event" },
  { kind: "segment", label: "Segment" },
  { kind: "topic", label: "Topic" },
  { kind: "journey", label: "Journey" },
  { kind: "bucket", label: "Random share" },
  { kind: "group", label: "Group" },
];

const eventKinds: readonly NewKind[] = ["property", "context"];

/** Kinds that a builder with these options can add. */
function listItems({ allowsProperty, isAboutEvent }: ReadOptions) {
  if (isAboutEvent) return menuItems.filter(({ kind }) => [...eventKinds, "group"].includes(kind));
  return menuItems.filter(({ kind }) => allowsProperty || !eventKinds.includes(kind));
}

interface AddMenuProps {
  add: (kind: NewKind) => void;
  opener: RefObject<HTMLButtonElement | null>;
}

/** Adds a condition of a kind to a group. */
export function AddMenu({ add, opener }: AddMenuProps) {
  const { options } = useSettings();
  const shown = listItems(options);
  return (
    <div className="condition-add">
      <Menu position="bottom-start" returnFocus={false}>
        <Menu.Target>
          <Button ref={opener} variant="default" size="compact-sm" leftSection={<PlusIcon />}>
            Add condition
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {shown.map(({ kind, label }) => (
            <Menu.Item key={kind} onClick={() => add(kind)}>{label}</Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
