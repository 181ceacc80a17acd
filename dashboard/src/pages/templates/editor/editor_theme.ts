import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const frame = EditorView.theme({
  "&": {
    backgroundColor: "var(--code-background)",
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "var(--mantine-radius-md)",
    color: "var(--mantine-color-text)",
    fontSize: "13px",
  },
  "&.cm-focused": {
    outline: "2px solid var(--mantine-primary-color-filled)",
    outlineOffset: "-1px",
  },
  ".cm-scroller": {
    fontFamily: "var(--mantine-font-family-monospace)",
    fontVariantLigatures: "none",
    lineHeight: "1.55",
    maxHeight: "70vh",
    minHeight: "22rem",
    overflow: "auto",
  },
  ".cm-content": { caretColor: "var(--mantine-color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    backgroundColor: "var(--code-background)",
    border: "none",
    color: "var(--mantine-color-dimmed)",
  },
  // Fainter than a selection: one wrapped line can fill the editor.
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--mantine-color-default-hover) 50%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--mantine-primary-color-light-hover)" },
  ".cm-tooltip": {
    backgroundColor: "var(--mantine-color-body)",
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "var(--mantine-radius-sm)",
    color: "var(--mantine-color-text)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mantine-font-family-monospace)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--mantine-color-signal-light)",
    color: "var(--mantine-color-signal-light-color)",
  },
  ".cm-completionDetail": { fontFamily: "var(--mantine-font-family)", fontStyle: "normal" },
  ".cm-completionMatchedText": { fontWeight: "700", textDecoration: "none" },
  ".cm-snippetField": { backgroundColor: "var(--mantine-primary-color-light-hover)" },
});

/** The colours of other code of the page, which follow its scheme. */
const highlighting = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.tagName, tags.function(tags.variableName)],
    color: "var(--code-key)",
  },
  { tag: [tags.string, tags.attributeValue], color: "var(--code-string)" },
  { tag: [tags.number, tags.variableName, tags.attributeName], color: "var(--code-number)" },
  { tag: [tags.brace, tags.bool, tags.atom, tags.propertyName], color: "var(--code-literal)" },
  { tag: [tags.comment, tags.processingInstruction], color: "var(--mantine-color-dimmed)" },
]);

/** Look of the editor, in light and dark. */
export const editorTheme: Extension = [frame, syntaxHighlighting(highlighting)];
