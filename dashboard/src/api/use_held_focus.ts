import { useEffect, useRef } from "react";

interface Focusable {
  focus?: (options: { preventScroll: boolean }) => void;
}

/** The parts of the page that are used here: unit tests have no types of a browser. */
interface Page {
  activeElement: Focusable | null;
  body: Focusable;
}

function readPage(): Page {
  return (globalThis as unknown as { document: Page }).document;
}

/**
 * Returns a function that notes the button of an action. After the action, the button has the
 * focus again, which a busy button loses.
 */
export function useHeldFocus(isPending: boolean): () => void {
  const held = useRef<Focusable>(null);
  useEffect(() => {
    if (isPending || readPage().activeElement !== readPage().body) return;
    held.current?.focus?.({ preventScroll: true });
    held.current = null;
  }, [isPending]);
  return () => {
    held.current = readPage().activeElement;
  };
}
