import { useDisclosure, type UseDisclosureReturnValue } from "@mantine/hooks";
import { useEffect } from "react";
import { useStoredNames } from "../api/use_draft.ts";

interface Callbacks {
  onOpen?: () => void;
  onClose?: () => void;
}

/** Works like `useDisclosure`, but a dialog whose draft survived a reload or a sign-in is open. */
export function useDraftDialog(draft: string, callbacks: Callbacks = {}): UseDisclosureReturnValue {
  const isKept = useStoredNames(draft).includes("");
  const disclosure = useDisclosure(isKept, callbacks);
  useEffect(() => {
    if (isKept) callbacks.onOpen?.();
  }, []);
  return disclosure;
}
