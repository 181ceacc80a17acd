import { useRef } from "react";

/**
 * Gives the focus back to the button that opened a dialog, where the dialog itself cannot: an item
 * of a menu is gone by then, and a button that is busy lost the focus before.
 */
export function useOpener() {
  const opener = useRef<HTMLButtonElement>(null);
  return { opener, giveBack: () => opener.current?.focus() };
}
