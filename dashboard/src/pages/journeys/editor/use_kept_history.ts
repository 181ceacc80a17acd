import { useRef, useState } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { type StoredDraft, useStoredDraft } from "../../../api/use_draft.ts";
import { isSame } from "../model/is_same.ts";
import type { SaveState, UnsavedChanges } from "./save_state.ts";
import { addChange, type History, startHistory } from "../model/history.ts";

/** The changes of a draft, which can be undone for as long as the page of the journey is open. */
export interface KeptHistory {
  /** Place in this tab of the changes that the api has not taken yet. */
  stored: StoredDraft<UnsavedChanges>;
  /** Returns the draft as this tab has it, and the history of its changes. */
  open: () => History<Definition>;
  keep: (history: History<Definition>) => void;
  /** Replaces the whole draft. The editor saves it when it opens. */
  replace: (definition: Definition) => void;
  /** Returns changes that were made before the page was opened, and are not saved. */
  findRestored: () => Definition | undefined;
}

/** Keeps the history of a draft while other parts of the journey's page are shown. */
export function useKeptHistory(journey: Journey): KeptHistory {
  const stored = useStoredDraft<UnsavedChanges>(`journey:${journey.id}`);
  const kept = useRef<History<Definition>>(undefined);
  const findUnsaved = () => {
    const draft = stored.read()?.definition;
    return draft !== undefined && !isSame(draft, journey.definition) ? draft : undefined;
  };
  const open = () => {
    const draft = findUnsaved() ?? journey.definition as Definition;
    // Somebody else may have changed the draft meanwhile.
    const isKept = kept.current !== undefined && isSame(kept.current.present, draft);
    return isKept ? kept.current! : startHistory(draft);
  };
  return {
    stored,
    open,
    keep: (history) => {
      kept.current = history;
    },
    replace: (definition) => {
      kept.current = addChange(open(), definition);
      const revision = stored.read()?.revision ?? journey.draft_revision;
      stored.write({ definition, revision });
    },
    findRestored: () => {
      const draft = findUnsaved();
      return isSame(draft, kept.current?.present) ? undefined : draft;
    },
  };
}

/**
 * Returns whether the draft is saved, as the editor reports it, and a function that reports. Until
 * then, changes that this tab has kept are in conflict if they change another draft.
 */
export function useSaveState(kept: KeptHistory, { draft_revision }: Journey) {
  return useState<SaveState>(() => {
    if (!kept.findRestored()) return "saved";
    return kept.stored.read()?.revision === draft_revision ? "invalid" : "conflict";
  });
}
