import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiCallError } from "../../../api/api_client.ts";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey } from "../../../api/types.ts";
import { useApi, useApiItem } from "../../../api/use_api.ts";
import type { StoredDraft } from "../../../api/use_draft.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import { isSame } from "../model/is_same.ts";
import { findFormProblems, findGraphProblems, type Problem, readField } from "../model/problems.ts";

const pauseMs = 800;

interface SavingOptions {
  journey: Journey;
  /** The definition as it is now. */
  definition: Definition;
  /** Place in this tab that keeps changes which the api has not taken yet. */
  stored: StoredDraft<Definition>;
  /** Called with each new state, also after the editor has closed. */
  report: (state: SaveState) => void;
}

/** State of the draft: stored by the api, about to be, refused by the checks, or failed. */
export type SaveState = "saved" | "saving" | "invalid" | "failed";

/**
 * Saves the draft a moment after each change. A draft with faults stays in this tab until they are
 * fixed. Closing the editor saves at once.
 */
export function useDraftSaving({ journey, definition, stored, report }: SavingOptions) {
  const [saved, setSaved] = useState(journey.definition as Definition);
  const [error, setError] = useState<Error | null>(null);
  const [isSaving, setSaving] = useState(false);
  const store = useStoreDefinition(journey.id);
  const isChanged = !isSame(definition, saved);
  const formProblems = useMemo(() => findFormProblems(definition), [definition]);
  const isReady = isChanged && formProblems.length === 0;

  const save = async () => {
    setSaving(true);
    try {
      await store(definition);
      setSaved(definition);
      setError(null);
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setSaving(false);
    }
  };
  useEffect(() => setError(null), [definition]);
  useEffect(() => {
    if (isChanged) stored.write(definition);
    else stored.remove();
  }, [definition, isChanged]);
  useEffect(() => {
    if (!isReady || isSaving || error !== null) return;
    const timer = setTimeout(() => void save(), pauseMs);
    return () => clearTimeout(timer);
  }, [definition, isReady, isSaving, error]);

  const latest = useRef({ isReady, definition });
  latest.current = { isReady, definition };
  useEffect(() => () => {
    const { isReady, definition } = latest.current;
    if (!isReady) return;
    const forget = () => {
      stored.remove();
      report("saved");
    };
    // The draft stays in the tab if this fails.
    store(definition).then(forget, () => report("failed"));
  }, []);

  const problems = useProblems({ journey, definition, formProblems, isChanged, error });
  const state: SaveState = error !== null
    ? "failed"
    : formProblems.length > 0
    ? "invalid"
    : isChanged
    ? "saving"
    : "saved";
  useEffect(() => report(state), [state]);
  return { state, error, problems, retry: () => void save() };
}

/** Returns a function that stores a draft at the api and refreshes what depends on it. */
function useStoreDefinition(journeyId: string) {
  const api = useApi();
  const queries = useQueryClient();
  const { id: workspaceId } = useWorkspace();
  return async (definition: Definition) => {
    const params = { id: journeyId };
    const journey = await api.call("PATCH /journeys/{id}", { params, body: { definition } });
    queries.setQueryData([workspaceId, "GET /journeys/{id}", { params }], journey);
    await queries.invalidateQueries({
      queryKey: [workspaceId, "GET /journeys/{id}/publish-preview"],
    });
  };
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
