import { ActionIcon } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy, type Ref, Suspense, useImperativeHandle, useState } from "react";
import { useWorkspace } from "../api/workspace.ts";
import { navigationGroups } from "./navigation.tsx";
import { explainEntry } from "../pages/sends/mod.ts";
import { settingsEntries } from "./settings_entries.ts";
import { pageKeys } from "./page_keys.ts";
import { useShortcuts } from "./shortcuts.ts";
import { Tooltip } from "../ui/overlays.tsx";
import { lateImport } from "../ui/late_import.ts";

const CommandPalette = lazy(() => lateImport(() => import("./command_palette.tsx")));
const ShortcutHelp = lazy(() => lateImport(() => import("./shortcut_help.tsx")));

const settingsPaths = settingsEntries.map(({ path }) => path);
const mainPages = navigationGroups.flatMap(({ entries }) => entries);
const pages = [
  // The first page of settings is among the others.
  ...mainPages.filter(({ path }) => !settingsPaths.includes(path)),
  explainEntry,
  ...settingsEntries.map((entry) => ({ ...entry, label: `Settings: ${entry.label}` })),
];

export function SearchButton({ open }: { open: () => void }) {
  return (
    <Tooltip label="Search (Ctrl K)">
      <ActionIcon variant="subtle" color="gray" aria-label="Search" onClick={open}>
        <SearchIcon />
      </ActionIcon>
    </Tooltip>
  );
}

export interface SearchDialog {
  open: () => void;
}

/**
 * The search and the help of the keyboard, each loaded when it is first opened. They stay open when
 * the button moves, because a screen is turned.
 */
export function SearchDialogs({ ref }: { ref: Ref<SearchDialog> }) {
  const { id } = useWorkspace();
  const navigate = useNavigate();
  const [shown, setShown] = useState<"palette" | "help">();
  const [text, setText] = useState("");
  useImperativeHandle(ref, () => ({ open: () => setShown("palette") }), []);
  const close = () => {
    setShown(undefined);
    setText("");
  };
  useShortcuts({
    openPalette: () => setShown("palette"),
    openHelp: () => setShown("help"),
    openPage: (key) => {
      const path = pageKeys[key];
      if (path !== undefined) void navigate({ to: `/w/${id}${path}` });
      return path !== undefined;
    },
    typeAhead: shown === "palette"
      ? (character) => setText((typed) => typed + character)
      : undefined,
  });
  return (
    <Suspense fallback={null}>
      {shown === "palette" && (
        <CommandPalette isOpen close={close} pages={pages} text={text} setText={setText} />
      )}
      {shown === "help" && <ShortcutHelp isOpen close={close} pages={mainPages} />}
    </Suspense>
  );
}
