import { useDisclosure, type UseDisclosureReturnValue } from "@mantine/hooks";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useReturningNames } from "../api/use_draft.ts";

interface Callbacks {
  onOpen?: () => void;
  onClose?: () => void;
}

/**
 * Works like `useDisclosure`, but a dialog is open whose draft survived a reload or a sign-in of its
 * page, or that a link to its page asks for. On later visits, the draft waits for the dialog.
 */
export function useDraftDialog(draft: string, callbacks: Callbacks = {}): UseDisclosureReturnValue {
  const isKept = useReturningNames(draft).includes("");
  const disclosure = useDisclosure(isKept, callbacks);
  useEffect(() => {
    if (isKept) callbacks.onOpen?.();
  }, []);
  useAskedDialog(draft, disclosure[1].open);
  return disclosure;
}

/** Opens the dialog with this draft when a link asks for it, once. */
export function useAskedDialog(draft: string, open: () => void): void {
  const isAsked = useLocation({ select: ({ state }) => state.dialog === draft });
  const navigate = useNavigate();
  useEffect(() => {
    if (!isAsked) return;
    open();
    void navigate({
      to: ".",
      search: true,
      state: ({ dialog: _, ...kept }) => kept,
      replace: true,
    });
  }, [isAsked]);
}
