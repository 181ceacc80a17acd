import { Button, Group, Stack, Text } from "@mantine/core";
import { type ShouldBlockFn, useBlocker } from "@tanstack/react-router";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { useServices } from "../api/services.ts";
import { hasStoredDrafts } from "../api/stored_drafts.ts";
import { discardDirtyDrafts, hasDirtyDrafts, hasUnkeptDrafts } from "../api/use_draft.ts";
import { isPageReloading } from "./late_import.ts";
import { Modal } from "./overlays.tsx";

type Act = () => void;

const AskContext = createContext<(act: Act) => void>((act) => act());

/** Returns a function that does something which loses drafts, and asks first if there are any. */
export function useAskFirst(): (act: Act) => void {
  return useContext(AskContext);
}

/** Asks before a page is left on which something was typed. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const { session } = useServices();
  const [waiting, setWaiting] = useState<{ act: Act }>();
  const shouldBlockFn: ShouldBlockFn = useCallback(
    // After the session has ended, a sign-in leads back to the drafts.
    ({ current, next }) =>
      session.current() !== null && current.pathname !== next.pathname && hasDirtyDrafts(),
    [session],
  );
  const blocker = useBlocker({
    shouldBlockFn,
    // A reload keeps the other drafts, and so does opening a closed tab again.
    enableBeforeUnload: () => !isPageReloading() && hasUnkeptDrafts(),
    withResolver: true,
  });
  const askFirst = useCallback((act: Act) => {
    if (isTabNeeded()) setWaiting({ act });
    else act();
  }, []);
  const stay = () => {
    setWaiting(undefined);
    blocker.reset?.();
  };
  const leave = () => {
    setWaiting(undefined);
    discardDirtyDrafts();
    waiting?.act();
    blocker.proceed?.();
  };
  return (
    <AskContext value={askFirst}>
      {children}
      <LeaveQuestion
        isOpen={blocker.status === "blocked" || waiting !== undefined}
        stay={stay}
        leave={leave}
      />
    </AskContext>
  );
}

function isTabNeeded(): boolean {
  return hasDirtyDrafts() || hasStoredDrafts();
}

interface LeaveQuestionProps {
  isOpen: boolean;
  stay: () => void;
  leave: () => void;
}

function LeaveQuestion({ isOpen, stay, leave }: LeaveQuestionProps) {
  return (
    <Modal opened={isOpen} onClose={stay} title="Leave without saving?" zIndex={aboveDialogs}>
      <Stack>
        <Text size="sm">What you typed is not saved. Leaving discards it.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>Stay</Button>
          <Button color="red" onClick={leave}>Leave</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const aboveDialogs = 400;
