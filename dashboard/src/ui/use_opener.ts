import { useRef } from "react";

/**
 * Returns the focus to the button that opened a dialog where the dialog cannot: a menu item is gone
 * by then, and a busy button has already lost the focus.
 */
export function useOpener() {
  const opener = useRef<HTMLButtonElement>(null);
  return { opener, giveBack: () => opener.current?.focus() };
}
