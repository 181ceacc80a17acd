import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Definition, StepKind } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { useMay } from "../../../api/workspace.ts";
import { copySteps, pasteSteps } from "../model/clipboard.ts";
import { type Edit, insertStep } from "../model/edit_steps.ts";
import { addChange, redo, startHistory, undo } from "../model/history.ts";
import type { NamedLists, NameOf } from "../model/name_of.ts";
import { groupProblems, type Problem } from "../model/problems.ts";
import { listSlots, type Slot, startSlot } from "../model/slots.ts";
import { useNames } from "../use_names.ts";
import type { SaveState } from "./save_state.ts";
import { type Saving, useDraftSaving } from "./use_draft_saving.ts";
import type { KeptHistory } from "./use_kept_history.ts";

interface ChangeOptions {
  /** Part to look at next. */
  select?: string | undefined;
  /** Field that is typed into, so that a word is one change. */
  field?: string;
}

/** The dialog that asks which step to add. */
export interface AddDialog {
  open: (slot: Slot) => void;
}

/** A draft that was replaced on the page by another one. */
export interface Followed {
  before: Definition;
  dismiss: () => void;
}

/** The draft of a journey while it is edited. */
export interface Editor {
  journey: Journey;
  definition: Definition;
  isReadOnly: boolean;
  change: (definition: Definition, options?: ChangeOptions) => void;
  /** Undefined if there is nothing to undo. */
  undo: (() => void) | undefined;
  redo: (() => void) | undefined;
  /** The open part: a step, the entry or the ends. */
  selected: string | undefined;
  /** Opens a part. A quiet choice leaves the focus where it is. */
  select: (part: string | undefined, isQuiet?: boolean) => void;
  /** Closes the open part, and returns the focus to it. */
  close: () => void;
  /** Counts how often the focus was asked to move to the panel, and the last time that it did. */
  focus: { asked: number; answered: RefObject<number> };
  /** Steps to copy, besides the selected one. */
  marked: ReadonlySet<string>;
  mark: (step: string) => void;
  /** Asks which step to add into a way. */
  add: (slot: Slot) => void;
  /** Place of the dialog that asks: what it shows is its own, so that opening it draws nothing else. */
  addDialog: RefObject<AddDialog | null>;
  insert: (slot: Slot, kind: StepKind) => void;
  /** Returns the marked steps and the selected one as text. */
  copy: () => string | undefined;
  /** Returns whether the text held steps. */
  paste: (slot: Slot, text: string) => boolean;
  problems: ReadonlyMap<string, readonly Problem[]>;
  saving: Saving;
  /** Forgets the restored changes; undefined if none were restored. */
  discard: (() => void) | undefined;
  /** The draft that somebody else has replaced while it was shown here, until that is known. */
  followed: Followed | undefined;
  nameOf: NameOf;
  lists: NamedLists;
}

const EditorContext = createContext<Editor | null>(null);
export const EditorProvider = EditorContext.Provider;

/** The editor around this component. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("Cannot use the editor outside of its page");
  return editor;
}

interface EditorOptions {
  journey: Journey;
  kept: KeptHistory;
  /** Called with each new state of the draft, also after the editor has closed. */
  report: (state: SaveState) => void;
}

/** Opens the draft of a journey, with the changes that this tab has kept. */
export function useNewEditor({ journey, kept, report }: EditorOptions): Editor {
  const isReadOnly = !useMay("admin");
  const { stored } = kept;
  const [restored, setRestored] = useState(kept.findRestored);
  const [history, setHistory] = useState(kept.open);
  useEffect(() => kept.keep(history), [history]);
  const definition = history.present;
  const selection = useSelection(definition);
  const { follow, forget, followed } = useFollowed();
  const change: Editor["change"] = useCallback((next, { select, field } = {}) => {
    forget();
    setHistory((current) => addChange(current, next, field));
    if (select !== undefined) selection.select(select);
  }, []);
  const { problems, ...saving } = useDraftSaving({
    journey,
    definition,
    stored,
    report,
    follow: (theirs) => {
      follow(definition);
      // Changes of others cannot be undone here.
      setHistory(startHistory(theirs));
    },
    take: change,
  });
  useEffect(() => {
    if (saving.state === "saved") setRestored(undefined);
  }, [saving.state]);
  const grouped = useMemo(() => groupProblems(problems), [problems]);
  const discardRestored = () => {
    setRestored(undefined);
    change(journey.definition as Definition);
  };
  // A conflict asks a question of its own.
  const isOffered = restored !== undefined && saving.state !== "conflict";
  return {
    journey,
    definition,
    isReadOnly,
    change,
    undo: history.past.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redo) : undefined,
    ...selection,
    ...useSteps({ definition, change, selection }),
    problems: grouped,
    saving,
    discard: isOffered ? discardRestored : undefined,
    followed,
    ...useNames(),
  };
}

/** Remembers what somebody else has replaced, until it is dismissed or the draft is changed here. */
function useFollowed() {
  const [before, setBefore] = useState<Definition>();
  const forget = useCallback(() => setBefore(undefined), []);
  return {
    /** Keeps the draft from before the first of several replacements. */
    follow: (replaced: Definition) => setBefore((first) => first ?? replaced),
    forget,
    followed: before && { before, dismiss: forget },
  };
}

function useSelection({ steps }: Definition) {
  const [selected, setSelected] = useState<string>();
  const [asked, setAsked] = useState(0);
  const answered = useRef(0);
  const select = useCallback((part: string | undefined, isQuiet = false) => {
    if (part !== undefined && !isQuiet) setAsked((count) => count + 1);
    setSelected(part);
  }, []);
  const close = () => {
    select(undefined);
    const part = CSS.escape(selected ?? "");
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-step="${part}"]`)?.focus({ preventScroll: true })
    );
  };
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const addDialog = useRef<AddDialog>(null);
  const add = useCallback((slot: Slot) => addDialog.current?.open(slot), []);
  const mark = (step: string) =>
    setMarked((current) => {
      const next = new Set(current);
      if (!next.delete(step)) next.add(step);
      return next;
    });
  const exists = selected === undefined || selected.startsWith("@") ||
    Object.hasOwn(steps, selected);
  return {
    selected: exists ? selected : undefined,
    select,
    close,
    focus: { asked, answered },
    marked,
    mark,
    add,
    addDialog,
  };
}

interface StepsInput {
  definition: Definition;
  change: Editor["change"];
  selection: ReturnType<typeof useSelection>;
}

/** Inserting, copying and pasting of steps. */
function useSteps({ definition, change, selection }: StepsInput) {
  const apply = ({ definition, step }: Edit) => change(definition, { select: step });
  return {
    insert: (slot: Slot, kind: StepKind) => apply(insertStep(definition, slot, kind)),
    copy: () => {
      const { selected, marked } = selection;
      const ids = [...marked, ...selected === undefined ? [] : [selected]]
        .filter((id) => Object.hasOwn(definition.steps, id));
      return ids.length > 0 ? copySteps(definition, ids) : undefined;
    },
    paste: (slot: Slot, text: string) => {
      const edit = pasteSteps(definition, slot, text);
      if (edit !== undefined) apply(edit);
      return edit !== undefined;
    },
  };
}

/** Returns the way into which a step is added after the open part. */
export function slotAfter({ definition, selected }: Editor): Slot | undefined {
  if (selected === undefined || selected.startsWith("@")) return startSlot;
  const step = definition.steps[selected];
  return step && listSlots(selected, step)[0];
}
