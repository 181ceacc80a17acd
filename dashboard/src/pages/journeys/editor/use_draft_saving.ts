import { useEffect, useMemo, useRef, useState } from "react";
import { ApiCallError, isConflict } from "../../../api/api_client.ts";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { useApiItem } from "../../../api/use_api.ts";
import type { StoredDraft } from "../../../api/use_draft.ts";
import { isSame } from "../model/is_same.ts";
import { type DraftApi, useDraftApi } from "./use_draft_api.ts";
import type { SaveState, UnsavedChanges } from "./save_state.ts";
import { findFormProblems, findGraphProblems, type Problem, readField } from "../model/problems.ts";

const pauseMs = 800;

interface SavingOptions {
  journey: Journey;
  /** The definition as it is now. */
  definition: Definition;
  /** Place in this tab that keeps changes which the api has not taken yet. */
  stored: StoredDraft<UnsavedChanges>;
  /** Called with each new state, also after the editor has closed. */
  report: (state: SaveState) => void;
  /** Shows what somebody else has saved. Nothing is unsaved here. */
  follow: (definition: Definition) => void;
  /** Replaces what is unsaved here, which can be undone. */
  take: (definition: Definition) => void;
}

/** The saving of the draft. */
export interface Saving {
  state: SaveState;
  error: Error | null;
  retry: () => void;
  conflict: Conflict | undefined;
}

/** A draft that somebody else has changed since it was read. */
export interface Conflict {
  theirs: Definition;
  keepMine: () => void;
  takeTheirs: () => void;
}

/**
 * Saves the draft a moment after each change. A draft with faults stays in this tab until they are
 * fixed. Closing the editor saves at once. Changes of others are never overwritten without a
 * question.
 */
export function useDraftSaving(options: SavingOptions) {
  const { journey, definition, stored, report } = options;
  const [saved, setSaved] = useState(journey.definition as Definition);
  const [error, setError] = useState<Error | null>(null);
  const [isSaving, setSaving] = useState(false);
  const api = useDraftApi(journey, stored);
  const isChanged = !isSame(definition, saved);
  const formProblems = useMemo(() => findFormProblems(definition), [definition]);
  const isReady = isChanged && formProblems.length === 0;

  const save = async () => {
    setSaving(true);
    try {
      await api.replace(definition);
      setSaved(definition);
      setError(null);
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setSaving(false);
    }
  };
  useEffect(() => setError((current) => isConflict(current) ? current : null), [definition]);
  useEffect(() => {
    if (isChanged) stored.write({ definition, revision: api.revision() });
    else stored.remove();
  }, [definition, saved]);
  const theirs = journey.definition as Definition;
  useEffect(() => {
    if (isSaving || !api.isNews(journey)) return;
    const isTheirs = isSame(definition, theirs);
    if (isChanged && !isTheirs) return;
    api.read(journey);
    setSaved(theirs);
    setError(null);
    if (!isTheirs) options.follow(theirs);
  }, [journey, definition, isChanged, isSaving]);
  useEffect(() => {
    if (!isReady || isSaving || error !== null) return;
    const timer = setTimeout(() => void save(), pauseMs);
    return () => clearTimeout(timer);
  }, [definition, isReady, isSaving, error]);

  useSaveOnClose({ ...options, api, isReady });

  const problems = useProblems({ journey, definition, formProblems, isChanged, error });
  const state: SaveState = error !== null
    ? failedState(error)
    : formProblems.length > 0
    ? "invalid"
    : isChanged
    ? "saving"
    : "saved";
  useEffect(() => report(state), [state]);
  const decide = (change: () => void) => () => {
    api.read(journey);
    setSaved(theirs);
    setError(null);
    change();
  };
  const conflict: Conflict | undefined = state === "conflict"
    ? { theirs, keepMine: decide(() => {}), takeTheirs: decide(() => options.take(theirs)) }
    : undefined;
  return { state, error, problems, retry: () => void save(), conflict };
}

const failedState = (error: unknown) => isConflict(error) ? "conflict" : "failed";

interface ClosingOptions extends Pick<SavingOptions, "definition" | "stored" | "report"> {
  api: DraftApi;
  /** True if there is something to save, and no problem that the form shows. */
  isReady: boolean;
}

/** Saves the draft at once when the editor closes. It stays in the tab if this fails. */
function useSaveOnClose(options: ClosingOptions): void {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => () => {
    const { api, definition, stored, report, isReady } = latest.current;
    if (!isReady) return;
    const forget = () => {
      stored.remove();
      report("saved");
    };
    api.replace(definition).then(forget, (failure) => report(failedState(failure)));
  }, []);
}

interface ProblemInput {
  journey: Journey;
  definition: Definition;
  formProblems: readonly Problem[];
  isChanged: boolean;
  error: Error | null;
}

/** Collects the problems that this page finds, and those that the api found in the saved draft. */
function useProblems(
  { journey, definition, formProblems, isChanged, error }: ProblemInput,
): readonly Problem[] {
  const preview = useApiItem("GET /journeys/{id}/publish-preview", { params: { id: journey.id } });
  return useMemo(() => {
    if (formProblems.length > 0) return formProblems;
    const refused = error instanceof ApiCallError ? error.body.details ?? [] : [];
    const published = isChanged ? [] : preview.data?.problems ?? [];
    const remote = [...refused, ...published].map(({ field, message }) => ({
      path: readField(field),
      message,
    }));
    const local = findGraphProblems(definition);
    const isKnown = (one: Problem) =>
      local.some(({ path, message }) => message === one.message && isSame(path, one.path));
    return [...local, ...remote.filter((one) => !isKnown(one))];
  }, [definition, formProblems, isChanged, error, preview.data]);
}
