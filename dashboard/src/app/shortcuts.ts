import { useEffect } from "react";

/** Milliseconds in which a page's key must follow "g". */
const sequenceMs = 1_500;

interface ShortcutActions {
  openPalette: () => void;
  openHelp: () => void;
  /** Opens the page of a key that follows "g"; returns false if it has none. */
  openPage: (key: string) => boolean;
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
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (actions.typeAhead !== undefined) {
        if (isInPalette(event.target) || [...event.key].length > 1) return;
        event.preventDefault();
        actions.typeAhead(event.key);
        return;
      }
      if (isBusy(event.target)) return;
      const isSecond = event.timeStamp - startedAt < sequenceMs;
      startedAt = event.key === "g" ? event.timeStamp : -Infinity;
      if (isSecond && actions.openPage(event.key)) return;
      const act = keyActions(actions)[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

function keyActions({ openPalette, openHelp }: ShortcutActions): Record<string, () => void> {
  return {
    "?": openHelp,
    "/": openPalette,
    f: focusFilters,
    j: () => stepRow(1),
    k: () => stepRow(-1),
  };
}

/** Moves the focus to the next row of the page's lists, or to the one before. */
function stepRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("#content .row-link")];
  const row = document.activeElement?.closest(".list-row");
  const index = rows.findIndex((link) => link === document.activeElement || row?.contains(link));
  rows[index < 0 ? 0 : index + step]?.focus();
}

/** Moves the focus to the first filter of the page's list. */
function focusFilters(): void {
  document.querySelector<HTMLElement>("#content [role=search] :is(input, button)")?.focus();
}

function isInPalette(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const dialog = target.closest("[role=dialog]");
  return dialog !== null && dialog.querySelector("#palette-choices") !== null;
}

function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null;
}
