import {
  IterationsIcon,
  KeyAsteriskIcon,
  PencilIcon,
  ReplyIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { Button } from "@mantine/core";
import { lazy, memo, startTransition, Suspense, useReducer, useState } from "react";
import type { Destination } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { ActionsMenu, EnableButton } from "../../ui/actions_menu.tsx";
import { showError } from "../../ui/show_error.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { useMay } from "../../api/workspace.ts";
import type { Dialog } from "./destination_dialogs.tsx";
import { PingButton } from "./ping_button.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { TestEventButton } from "../deliveries/test_event_button.tsx";
import { lateImport } from "../../ui/late_import.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

const DestinationDialogs = lazy(() => lateImport(() => import("./destination_dialogs.tsx")));

export const DestinationActions = memo(
  function DestinationActions({ destination }: { destination: Destination }) {
    const isEditKept = useReturningNames(`destination:${destination.id}`).length > 0;
    const [dialog, setDialog] = useState<Dialog | null>(isEditKept ? "edit" : null);
    // Dialogs stay mounted after the first opening: closing is animated.
    const [openings, countOpening] = useReducer((count: number) => count + 1, isEditKept ? 1 : 0);
    const { opener, giveBack } = useOpener();
    const { opener: editButton, giveBack: giveBackToEdit } = useOpener();
    const isAdmin = useMay("admin");
    const isMember = useMay("member");
    const enable = useEnable(destination, () => open("enable"));
    if (!isMember) return null;
    // A transition waits for their code. Without one, React shows them 300 ms late.
    const open = (name: Dialog) =>
      startTransition(() => {
        countOpening();
        setDialog(name);
      });
    const close = () => {
      setDialog(null);
      if (dialog === "edit") giveBackToEdit();
      else giveBack();
    };
    return (
      <>
        {/* While it is paused, the notice has the button that comes first. */}
        <PingButton
          destination={destination}
          variant={destination.health.next_probe_at === null ? "filled" : "default"}
        />
        <TestEventButton destination={destination} />
        {isAdmin && (
          <EnableButton
            enabled={destination.enabled}
            isPending={enable.isPending}
            toggle={() => destination.enabled ? open("disable") : enable.start()}
          />
        )}
        {isAdmin && (
          <Button
            ref={editButton}
            variant="default"
            leftSection={<PencilIcon />}
            onClick={() => open("edit")}
          >
            Edit
          </Button>
        )}
        <ActionsMenu opener={opener}>
          <DialogItems isAdmin={isAdmin} open={open} />
        </ActionsMenu>
        <Suspense>
          {openings > 0 && (
            <DestinationDialogs
              destination={destination}
              dialog={dialog}
              openings={openings}
              close={close}
            />
          )}
        </Suspense>
      </>
    );
  },
);

/** Enables a destination, or asks first what to do with the messages that it missed. */
function useEnable({ id }: Destination, ask: () => void) {
  const params = { params: { id } };
  const { refetch } = useApiItem("GET /destinations/{id}", params, { enabled: false });
  const enable = useApiAction(
    "PATCH /destinations/{id}",
    () => ({ ...params, body: { enabled: true } }),
    { onError: showError },
  );
  // The page may show a count from before the first missed message.
  const check = useSingleMutation({
    mutationFn: () => refetch({ throwOnError: true }),
    onSuccess: ({ data }) => data && data.health.missed > 0 ? ask() : enable.mutate(),
    onError: showError,
  });
  return { start: () => check.mutate(), isPending: check.isPending || enable.isPending };
}

function DialogItems({ isAdmin, open }: { isAdmin: boolean; open: (name: Dialog) => void }) {
  return (
    <>
      <Menu.Item leftSection={<ReplyIcon />} onClick={() => open("replay")}>
        Resend failed
      </Menu.Item>
      <Menu.Item leftSection={<IterationsIcon />} onClick={() => open("recover")}>
        Deliver missed
      </Menu.Item>
      {isAdmin && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<KeyAsteriskIcon />} onClick={() => open("rotate")}>
            Rotate secret
          </Menu.Item>
          <Menu.Item
            leftSection={<TrashIcon />}
            className="danger-item"
            onClick={() => open("delete")}
          >
            Delete
          </Menu.Item>
        </>
      )}
    </>
  );
}
