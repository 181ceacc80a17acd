import { useEffect } from "react";

/** Keys after "g", and the page that each opens. */
export const pageKeys = {
  o: { label: "Overview", path: "" },
  e: { label: "Events", path: "/events" },
  c: { label: "Customers", path: "/customers" },
  s: { label: "Segments", path: "/segments" },
  j: { label: "Journeys", path: "/journeys" },
  d: { label: "Destinations", path: "/destinations" },
  m: { label: "Messages", path: "/messages" },
  a: { label: "Alerts", path: "/alerts" },
} as const satisfies Record<string, { label: string; path: string }>;

/** Milliseconds in which a page's key must follow "g". */
const sequenceMs = 1_500;

interface ShortcutActions {
  openPalette: () => void;
  openHelp: () => void;
  /** Opens a page below that of the workspace. */
  open: (path: string) => void;
  /** Takes a character that is typed before the palette has the focus; set while it is open. */
  typeAhead?: ((character: string) => void) | undefined;
}

/** Handles the keyboard shortcuts of every page. Fields and dialogs keep their keys. */
export function useShortcuts(actions: ShortcutActions): void {
  useEffect(() => {
    let startedAt = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        actions.openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      if (actions.typeAhead !== undefined) {
        if ([...event.key].length > 1) return;
        event.preventDefault();
        actions.typeAhead(event.key);
        return;
      }
      const page = event.timeStamp - startedAt < sequenceMs
        ? pageKeys[event.key as keyof typeof pageKeys]
        : undefined;
      startedAt = event.key === "g" ? event.timeStamp : -Infinity;
      if (page !== undefined) actions.open(page.path);
      else if (event.key === "?") actions.openHelp();
      else if (event.key === "/") {
        event.preventDefault();
        actions.openPalette();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null;
}
