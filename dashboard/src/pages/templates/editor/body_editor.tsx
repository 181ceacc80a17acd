import type { EditorView } from "@codemirror/view";
import { Group, Input, Text } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { type BodyFormat, bodyLanguage } from "./body_language.ts";
import { CodeEditor } from "./code_editor.tsx";
import { InsertMenu } from "./insert_menu.tsx";

export interface BodyEditorProps {
  format: BodyFormat;
  value: string;
  onChange: (value: string) => void;
  isReadOnly: boolean;
  error: ReactNode;
  /** Paths of attributes and data that were found, such as `customer.attributes.plan`. */
  seenPaths: readonly string[];
  /** The place where typing continues in a new editor; undefined leaves the focus where it is. */
  caret: number | undefined;
}

/** The body of a template, with highlighting, completion, and blocks to insert. */
export function BodyEditor(props: BodyEditorProps) {
  const { format, value, onChange, isReadOnly, error, seenPaths, caret } = props;
  const id = useId();
  const [view, setView] = useState<EditorView | null>(null);
  const paths = useRef(seenPaths);
  paths.current = seenPaths;
  const language = useMemo(() => bodyLanguage(format, () => paths.current), [format]);
  const isInvalid = Boolean(error);
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb={6}>
        <Input.Label labelElement="div">Body</Input.Label>
        {!isReadOnly && (
          <Group gap="xs">
            <InsertMenu format={format} view={view} seenPaths={seenPaths} />
          </Group>
        )}
      </Group>
      <CodeEditor
        label="Body"
        value={value}
        onChange={onChange}
        language={language}
        isReadOnly={isReadOnly}
        describedBy={isInvalid ? `${id}-error ${id}-keys` : `${id}-keys`}
        isInvalid={isInvalid}
        caret={caret}
        onView={setView}
      />
      {isInvalid && <Input.Error id={`${id}-error`} mt={4}>{error}</Input.Error>}
      <Text id={`${id}-keys`} size="xs" c="dimmed" mt={6}>
        {isReadOnly
          ? "Your role can read templates, but not change them."
          : "Ctrl Space completes variables, filters, tags and elements. Tab indents: press " +
            "Escape, then Tab, to leave the field."}
      </Text>
    </div>
  );
}
