let copied = "";

/** Keeps copied steps for other journeys of this tab, and offers them to the clipboard. */
export function rememberSteps(text: string | undefined): void {
  if (text === undefined) return;
  copied = text;
  // The browser may refuse; the steps can still be pasted in this tab.
  navigator.clipboard?.writeText(text).catch(() => {});
}

/** Returns the steps that were copied last in this tab, as text; empty for none. */
export function recallSteps(): string {
  return copied;
}
