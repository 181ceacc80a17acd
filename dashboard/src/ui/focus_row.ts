/**
 * Moves the focus to the button of a row, for a dialog that has closed and that a reload had
 * opened: such a dialog knows no button to return the focus to. Otherwise it changes nothing.
 */
export function focusRow(id: string | undefined): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const row = `[data-row="${CSS.escape(id ?? "")}"]`;
    document.querySelector<HTMLElement>(row)?.focus();
  });
}
