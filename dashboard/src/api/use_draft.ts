import { useEffect, useMemo, useRef, useState } from "react";
import { isSame } from "./is_same.ts";
import { useServices } from "./services.ts";
import { doDialogsReturn, keyOfDraft, listDrafts, readDraft, writeDraft } from "./stored_drafts.ts";
import { useOpenWorkspace } from "./workspace.ts";

/** Something that was typed and is not saved yet. */
export interface Draft {
  /** Returns whether closing it would lose something. */
  isDirty: () => boolean;
  /** Stores it, and returns whether a reload brings all of it back. Without this, none comes back. */
  keep?: () => boolean;
  /** True if it was typed before a reload or a sign-in. */
  isRestored: boolean;
  /** Forgets it, and shows what is saved. */
  discard: () => void;
  /** Forgets it, because what is shown is saved now. */
  forget: () => void;
}

/** The drafts on the page. */
const shown = new Set<{ current: Draft }>();

/** Makes the page ask before it is left while the draft is dirty. */
export function useShownDraft(draft: Draft, isAsked = true): void {
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    if (isAsked) shown.add(latest);
    return () => {
      shown.delete(latest);
    };
  }, []);
}

/** Returns whether leaving the page would lose something. */
export function hasDirtyDrafts(): boolean {
  return [...shown].some(({ current }) => current.isDirty());
}

/** Stores the drafts on the page, and returns whether a reload would lose something all the same. */
export function hasUnkeptDrafts(): boolean {
  const dirty = [...shown].filter(({ current }) => current.isDirty());
  // Not with some(), which would leave the others unstored.
  return dirty.filter(({ current }) => !current.keep?.()).length > 0;
}

/** Discards the drafts on the page. */
export function discardDirtyDrafts(): void {
  for (const { current } of [...shown]) {
    if (current.isDirty()) current.discard();
  }
}

/** A draft of the user in this tab. */
export interface StoredDraft<Value> {
  read: () => Value | undefined;
  write: (value: Value) => void;
  remove: () => void;
}

/** Opens the place of a draft in this tab's storage, where a reload and a sign-in leave it. */
export function useStoredDraft<Value>(name: string): StoredDraft<Value> {
  const key = useDraftKey(name);
  return useMemo(() => ({
    read: () => readDraft<Value>(key),
    write: (value) => writeDraft(key, value),
    remove: () => sessionStorage.removeItem(key),
  }), [key]);
}

/**
 * Lists what follows the start in the names of the drafts that a reload or a sign-in brings back at
 * once, as of the first rendering. Other drafts wait until their form is opened.
 */
export function useReturningNames(start: string): readonly string[] {
  const key = useDraftKey(start);
  const [names] = useState(() => doDialogsReturn() ? listDrafts(key) : []);
  return names;
}

function useDraftKey(name: string): string {
  const { session } = useServices();
  const workspaceId = useOpenWorkspace()?.id ?? "account";
  // The user of the form, even after the session has ended.
  const { current: userId } = useRef(session.current()?.user.id);
  return keyOfDraft(userId, `${workspaceId}:${name}`);
}

interface StateOptions {
  /** False for the input of a trial, which is never saved: the page is left without a question. */
  isAsked?: boolean;
}

/**
 * Works like `useState`, but a reload and the end of the session keep a changed value.
 *
 * @param name tells the drafts of a workspace apart
 * @param saved the value without a draft
 */
export function useDraftState<Value>(
  name: string,
  saved: Value,
  { isAsked = true }: StateOptions = {},
): [Value, (value: Value) => void, Draft] {
  const stored = useStoredDraft<Value>(name);
  const [isRestored, setRestored] = useState(() => stored.read() !== undefined);
  const [typed, setTyped] = useState(stored.read);
  const [sent, setSent] = useState<Value>();
  const latest = useRef(typed);
  const isDirty = typed !== undefined && typed !== sent && !isSame(typed, saved);
  useEffect(() => {
    if (isDirty) stored.write(typed);
    else stored.remove();
  }, [typed, isDirty]);
  const forget = () => {
    stored.remove();
    setRestored(false);
    setSent(latest.current);
  };
  const change = (value: Value | undefined) => {
    latest.current = value;
    setTyped(value);
  };
  const draft: Draft = {
    isDirty: () => isDirty,
    keep: () => {
      if (typed !== undefined) stored.write(typed);
      return isSame(stored.read(), typed);
    },
    isRestored: isRestored && isDirty,
    discard: () => {
      change(undefined);
      forget();
    },
    forget,
  };
  useShownDraft(draft, isAsked);
  return [typed ?? saved, change, draft];
}
