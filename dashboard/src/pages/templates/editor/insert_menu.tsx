import { snippet } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { Button, Text } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import { type Block, blocks } from "./blocks.ts";
import type { BodyFormat } from "./body_language.ts";
import { knownPaths } from "./liquid_words.ts";
import { Menu } from "../../../ui/overlays.tsx";

interface InsertMenuProps {
  format: BodyFormat;
  view: EditorView | null;
  /** Paths of attributes and data that were found. */
  seenPaths: readonly string[];
}

/** Inserts blocks and variables at the cursor. */
export function InsertMenu({ format, view, seenPaths }: InsertMenuProps) {
  const paths = [
    ...knownPaths.filter(({ path }) => path !== "trigger" && path !== "customer.attributes"),
    ...seenPaths.map((path) => ({ path, detail: "" })),
  ];
  return (
    <>
      <Choices label="Insert a block" width={280}>
        {blocks.filter(({ code }) => code[format] !== undefined).map((block) => (
          <Menu.Item
            key={block.label}
            onClick={() => view && insertBlock(view, block, format)}
          >
            <Text size="sm">{block.label}</Text>
            <Text size="xs" c="dimmed">{block.description}</Text>
          </Menu.Item>
        ))}
      </Choices>
      <Choices label="Insert a variable" width={300}>
        {paths.map(({ path, detail }) => (
          <Menu.Item
            key={path}
            onClick={() => view && insertText(view, `{{ ${path} }}`)}
          >
            <Text size="sm" ff="monospace" className="break-anywhere">{path}</Text>
            {detail !== "" && <Text size="xs" c="dimmed">{detail}</Text>}
          </Menu.Item>
        ))}
      </Choices>
    </>
  );
}

interface ChoicesProps {
  label: string;
  /** Of the menu, in pixels. */
  width: number;
  /** The menu's items. */
  children: ReactNode;
}

/** A button that opens a long menu. */
function Choices({ label, width, children }: ChoicesProps) {
  return (
    <Menu position="bottom-start" width={width} returnFocus={false}>
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<PlusIcon size={14} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} className="scrolling-menu">{children}</Menu.Dropdown>
    </Menu>
  );
}

function insertBlock(view: EditorView, block: Block, format: BodyFormat): void {
  const { from, to } = view.state.selection.main;
  snippet(block.code[format] ?? "")(view, { label: block.label }, from, to);
  focusSoon(view);
}

function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text), { userEvent: "input", scrollIntoView: true });
  focusSoon(view);
}

/** The menu closes first, and would take the focus. */
function focusSoon(view: EditorView): void {
  requestAnimationFrame(() => view.focus());
}
