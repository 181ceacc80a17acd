import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorTheme } from "./editor_theme.ts";

export interface CodeEditorProps {
  /** Names the field for screen readers. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  language: Extension;
  isReadOnly: boolean;
  /** IDs of texts that describe the field. */
  describedBy: string;
  isInvalid: boolean;
  /** The place where typing continues in a new editor; undefined leaves the focus where it is. */
  caret: number | undefined;
  /** Receives the view while there is one. */
  onView: (view: EditorView | null) => void;
}

/** A field for code. Tab indents; Escape and then Tab leaves it. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, language, isReadOnly, describedBy, isInvalid } = props;
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const parts = useRef({ language: new Compartment(), field: new Compartment() }).current;
  const field = describeField({ label, isReadOnly, describedBy, isInvalid });
  useEffect(() => {
    const { caret, value } = latest.current;
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          basics,
          parts.language.of(language),
          parts.field.of(field),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    shown.current = view;
    latest.current.onView(view);
    if (caret !== undefined) {
      view.dispatch({ selection: { anchor: Math.min(caret, view.state.doc.length) } });
      view.focus();
    }
    return () => {
      latest.current.onView(null);
      shown.current = null;
      view.destroy();
    };
  }, []);
  useEffect(() => {
    shown.current?.dispatch({ effects: parts.language.reconfigure(language) });
  }, [language]);
  useEffect(() => {
    shown.current?.dispatch({ effects: parts.field.reconfigure(field) });
  }, [label, isReadOnly, describedBy, isInvalid]);
  useEffect(() => {
    const view = shown.current;
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} />;
}

const basics: Extension = [
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false, interactionDelay: 0, maxRenderedOptions: 60 }),
  highlightActiveLine(),
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    indentWithTab,
  ]),
  editorTheme,
];

type FieldFacts = Pick<CodeEditorProps, "label" | "isReadOnly" | "describedBy" | "isInvalid">;

function describeField({ label, isReadOnly, describedBy, isInvalid }: FieldFacts): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-describedby": describedBy,
      "spellcheck": "false",
      ...isInvalid ? { "aria-invalid": "true" } : {},
    }),
  ];
}
