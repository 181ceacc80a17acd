import { useEffect, useMemo, useRef } from "react";
import { useServices } from "./services.ts";
import { useWorkspace } from "./workspace.ts";

const prefix = "signalpost-draft:";

interface DraftForm<Values> {
  values: Values;
  isDirty: () => boolean;
  setValues: (values: Partial<Values>) => void;
}

interface DraftOptions<Values> {
  /** Tells the drafts of a workspace apart. */
  name: string;
  /** Fields that must not be stored. */
  without?: readonly (keyof Values)[];
}

/**
 * Keeps what was typed into a form when the page is left or reloaded, or the session ends. The
 * draft is the user's own and stays in this tab. Returns a function that deletes it.
 */
export function useDraft<Values extends object>(
  form: DraftForm<Values>,
  { name, without = [] }: DraftOptions<Values>,
): () => void {
  const stored = useStoredDraft<Partial<Values>>(name);
  useEffect(() => {
    const draft = stored.read();
    if (draft !== undefined) form.setValues(draft);
  }, []);
  useEffect(() => {
    if (!form.isDirty()) return;
    const kept = Object.entries(form.values).filter(([field]) =>
      !without.includes(field as keyof Values)
    );
    stored.write(Object.fromEntries(kept) as Partial<Values>);
  }, [form.values]);
  return stored.remove;
}

/** A draft of the user in this tab, which a sign-out deletes. */
export interface StoredDraft<Value> {
  read: () => Value | undefined;
  write: (value: Value) => void;
  remove: () => void;
}

/** Opens the place of a draft in this tab's storage. */
export function useStoredDraft<Value>(name: string): StoredDraft<Value> {
  const { session } = useServices();
  const { id: workspaceId } = useWorkspace();
  const { current: userId } = useRef(session.current()?.user.id);
  const key = `${prefix}${userId}:${workspaceId}:${name}`;
  return useMemo(() => ({
    read: () => JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined,
    write: (value) => sessionStorage.setItem(key, JSON.stringify(value)),
    remove: () => sessionStorage.removeItem(key),
  }), [key]);
}

/** Deletes all drafts, for the next user of the browser. */
export function deleteDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}
