import { useSyncExternalStore } from "react";
import { lateImport } from "./late_import.ts";

type Library = typeof import("./overlay_parts.ts");

let library: Library | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Loads the parts that open over the page: after the first content, or when one is used. */
export function loadOverlays(): Promise<void> {
  return loading ??= lateImport(() => import("./overlay_parts.ts")).then((loaded) => {
    library = loaded;
    for (const listener of listeners) listener();
  }, () => {
    // The next use tries again.
    loading = undefined;
  });
}

/** The parts that open over the page; undefined until they are loaded. */
export function useOverlays(): Library | undefined {
  return useSyncExternalStore(subscribe, () => library);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
