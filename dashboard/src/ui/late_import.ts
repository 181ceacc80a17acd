import { useSyncExternalStore } from "react";
import { hasStoredDrafts } from "../api/stored_drafts.ts";
import { hasDirtyDrafts } from "../api/use_draft.ts";

const reloadedKey = "signalpost-reloaded";
const pauseMs = 60_000;

let isOffered = false;
let isReloading = false;
let typedAt: string | undefined;
const listeners = new Set<() => void>();

document.addEventListener("input", () => {
  typedAt = location.pathname;
}, { capture: true });

/**
 * Imports a part of the page. Its file is gone if the dashboard was updated since: then the page
 * stays as it is, and is loaded again, at once if nothing was typed.
 */
export async function lateImport<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!await isUpdated()) throw error;
    if (isTyped() || wasReloaded()) offerReload();
    else reloadPage();
    return await new Promise(() => {});
  }
}

/** Returns whether the document names another script now. */
async function isUpdated(): Promise<boolean> {
  const script = document.querySelector('script[src^="/assets/"]')?.getAttribute("src");
  if (!script) return false;
  const response = await fetch("/", { cache: "no-store" }).catch(() => undefined);
  return response?.ok === true && !(await response.text()).includes(script);
}

function isTyped(): boolean {
  return typedAt === location.pathname || hasDirtyDrafts() || hasStoredDrafts();
}

/** Returns whether the page was reloaded just now, which did not help. */
function wasReloaded(): boolean {
  return Date.now() - Number(sessionStorage.getItem(reloadedKey)) < pauseMs;
}

/** Loads the page again without a question: drafts survive that. */
export function reloadPage(): void {
  isReloading = true;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
}

/** Returns whether the page is being left by `reloadPage`. */
export function isPageReloading(): boolean {
  return isReloading;
}

function offerReload(): void {
  isOffered = true;
  for (const listener of listeners) listener();
}

/** Returns whether the user should reload the page. */
export function useReloadOffer(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, () => isOffered);
}
