import { Box, Modal, Text, TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useWorkspace } from "../api/workspace.ts";
import type { DialogProps } from "../ui/form_modal.tsx";
import type { NavigationEntry } from "../ui/navigation_entry.ts";
import { type PaletteChoice, type PaletteGroup, usePaletteChoices } from "./use_palette_choices.ts";

interface CommandPaletteProps extends DialogProps {
  pages: readonly NavigationEntry[];
  /** The search as typed, also before the palette was loaded. */
  text: string;
  setText: (text: string) => void;
}

/** Finds pages, actions, and anything by its ID or a part of its name. */
export default function CommandPalette(
  { isOpen, close, pages, text, setText }: CommandPaletteProps,
) {
  const { groups, isSearching } = usePaletteChoices(text.trim(), pages);
  const choices = groups.flatMap(({ choices }) => choices);
  const { id } = useWorkspace();
  const navigate = useNavigate();
  const open = ({ path, search = {}, dialog, run }: PaletteChoice) => {
    close();
    if (run) return run();
    // The router knows the filters of literal paths only.
    void navigate({
      to: `/w/${id}${path}`,
      search: search as never,
      state: dialog === undefined ? {} : { dialog },
    });
  };
  const { active, setActive, onKeyDown } = useActive(text, { choices, open });
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      size="lg"
      removeScrollProps={{ removeScrollBar: false }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>
          <TextInput
            aria-label="Search"
            role="combobox"
            aria-expanded={choices.length > 0}
            aria-controls="palette-choices"
            aria-activedescendant={choices[active] && `palette-${active}`}
            placeholder="Search an ID, email, name or page"
            leftSection={<SearchIcon />}
            size="md"
            variant="unstyled"
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onFocus={({ currentTarget }) =>
              currentTarget.setSelectionRange(text.length, text.length)}
            onKeyDown={onKeyDown}
          />
          <Choices groups={groups} active={active} point={setActive} open={open} />
          <Text size="sm" c="dimmed" p="md" role="status" hidden={choices.length > 0}>
            {isSearching
              ? "Searching…"
              : "Nothing found. Enter a full ID, a part of a name, or the start of an email."}
          </Text>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface Choosing {
  choices: readonly PaletteChoice[];
  open: (choice: PaletteChoice) => void;
}

/** The choice that the arrow keys reached, from the first after each change of the text. */
function useActive(text: string, { choices, open }: Choosing) {
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [text]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices[active];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      setActive((active + step + choices.length) % choices.length);
    } else if (event.key === "Enter" && chosen !== undefined) {
      event.preventDefault();
      open(chosen);
    }
  };
  return { active, setActive, onKeyDown };
}

interface ChoicesProps {
  groups: readonly PaletteGroup[];
  /** The choice that the arrow keys reached, counted through all groups. */
  active: number;
  point: (index: number) => void;
  open: (choice: PaletteChoice) => void;
}

function Choices({ groups, active, point, open }: ChoicesProps) {
  const choices = groups.flatMap(({ choices }) => choices);
  return (
    <Box id="palette-choices" role="listbox" aria-label="Results" className="palette">
      {groups.map((group) => (
        <ChoiceGroup key={group.label} label={group.label}>
          {group.choices.map((choice) => {
            const index = choices.indexOf(choice);
            return (
              <ChoiceRow
                key={choice.key}
                choice={choice}
                index={index}
                isActive={index === active}
                open={() => open(choice)}
                point={() => point(index)}
              />
            );
          })}
        </ChoiceGroup>
      ))}
    </Box>
  );
}

function ChoiceGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className="palette-group">{label}</div>
      {children}
    </div>
  );
}

interface ChoiceRowProps {
  choice: PaletteChoice;
  index: number;
  isActive: boolean;
  open: () => void;
  point: () => void;
}

function ChoiceRow({ choice, index, isActive, open, point }: ChoiceRowProps) {
  const { title, subtitle, icon: Icon } = choice;
  return (
    <Box
      id={`palette-${index}`}
      role="option"
      aria-selected={isActive}
      className="palette-choice"
      onClick={open}
      onPointerMove={point}
      ref={(element: HTMLDivElement | null) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
    >
      <Icon size={16} className="palette-icon" />
      <Text size="sm" truncate dir="auto" flex="0 1 auto">{title}</Text>
      {subtitle && (
        <Text size="xs" c="dimmed" truncate dir="auto" className="palette-subtitle">
          {subtitle}
        </Text>
      )}
    </Box>
  );
}
