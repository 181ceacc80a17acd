import type { ClipboardEvent, KeyboardEvent } from "react";
import { deleteStep } from "../model/edit_steps.ts";
import { recallSteps, rememberSteps } from "./copied_steps.ts";
import { type Editor, slotAfter } from "./use_editor.ts";

/** Checks whether a key or the clipboard belongs to a text that is being edited. */
function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.closest("input, textarea, [role=dialog]") !== null;
}

/** Returns the handlers of the keys and of the clipboard for an editor. */
export function useEditorKeys(editor: Editor) {
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (isTyping(event.target)) return;
      const action = findAction(editor, event);
      if (action === undefined) return;
      event.preventDefault();
      action();
    },
    onCopy: (event: ClipboardEvent) => {
      const text = isTyping(event.target) || hasSelectedText() ? undefined : editor.copy();
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData.setData("text/plain", text);
      rememberSteps(text);
    },
    onPaste: (event: ClipboardEvent) => {
      const slot = slotAfter(editor);
      if (isTyping(event.target) || editor.isReadOnly || slot === undefined) return;
      const text = event.clipboardData.getData("text/plain") || recallSteps();
      if (editor.paste(slot, text)) event.preventDefault();
    },
  };
}

function hasSelectedText(): boolean {
  return globalThis.getSelection()?.isCollapsed === false;
}

function findAction(editor: Editor, event: KeyboardEvent): (() => void) | undefined {
  const { definition, selected, change, add, close, mark, isReadOnly } = editor;
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (key === "Escape") return selected === undefined ? undefined : close;
  if (isReadOnly) return undefined;
  if (ctrlKey || metaKey) {
    const name = key.toLowerCase();
    if (name === "y" || (name === "z" && shiftKey)) return editor.redo;
    return name === "z" ? editor.undo : undefined;
  }
  const slot = slotAfter(editor);
  if (key === "+" || key === "Insert") return slot && (() => add(slot));
  if (selected === undefined || !Object.hasOwn(definition.steps, selected)) return undefined;
  if (key === "Delete") return () => change(deleteStep(definition, selected));
  return key === "m" ? () => mark(selected) : undefined;
}

/** The keys, as the help of the canvas lists them. */
export const keyTexts: readonly (readonly [keys: string, text: string])[] = [
  ["Arrow keys", "Move between steps"],
  ["Enter", "Edit the step"],
  ["+", "Add a step after it"],
  ["Delete", "Delete it"],
  ["M", "Mark it for copying"],
  ["Ctrl C, Ctrl V", "Copy steps, paste them after the step"],
  ["Ctrl Z, Ctrl Shift Z", "Undo, redo"],
  ["Esc", "Close the step"],
];
