import { ActionIcon, Button, Menu } from "@mantine/core";
import {
  IterationsIcon,
  KebabHorizontalIcon,
  KeyAsteriskIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  ReplyIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { lazy, memo, startTransition, Suspense, useState } from "react";
import type { Destination } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useOpener } from "../../components/use_opener.ts";
import { useMay } from "../../workspace.ts";
import type { Dialog } from "./destination_dialogs.tsx";
import { PingButton } from "./ping_button.tsx";

const DestinationDialogs = lazy(() => import("./destination_dialogs.tsx"));

export const DestinationActions = memo(
  function DestinationActions({ destination }: { destination: Destination }) {
    const [dialog, setDialog] = useState<Dialog | null>(null);
    // They stay, for a dialog is seen leaving after it was closed.
    const [hasDialogs, setHasDialogs] = useState(false);
    const { opener, giveBack } = useOpener();
    const isAdmin = useMay("admin");
    const isMember = useMay("member");
    const toggle = useApiAction(
      "PATCH /destinations/{id}",
      () => ({ params: { id: destination.id }, body: { enabled: !destination.enabled } }),
    );
    if (!isMember) return null;
    // A transition waits for their code; without one React shows them 300 ms late.
    const open = (name: Dialog) =>
      startTransition(() => {
        setHasDialogs(true);
        setDialog(name);
      });
    const close = () => {
      setDialog(null);
      giveBack();
    };
    return (
      <>
        <PingButton destination={destination} />
        {isAdmin && (
          <Button
            variant="default"
            leftSection={destination.enabled ? <PauseIcon /> : <PlayIcon />}
            loading={toggle.isPending}
            onClick={() => toggle.mutate()}
          >
            {destination.enabled ? "Disable" : "Enable"}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              ref={opener}
              variant="default"
              size="input-sm"
              aria-label="More actions"
            >
              <KebabHorizontalIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<ReplyIcon />} onClick={() => open("replay")}>
              Replay failed
            </Menu.Item>
            <Menu.Item leftSection={<IterationsIcon />} onClick={() => open("recover")}>
              Recover missed
            </Menu.Item>
            {isAdmin && (
              <>
                <Menu.Divider />
                <Menu.Item
                  leftSection={<PencilIcon />}
                  onClick={() => open("edit")}
                >
                  Edit
                </Menu.Item>
                <Menu.Item leftSection={<KeyAsteriskIcon />} onClick={() => open("rotate")}>
                  Rotate secret
                </Menu.Item>
                <Menu.Item
                  leftSection={<TrashIcon />}
                  color="red"
                  onClick={() => open("delete")}
                >
                  Delete
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
        <Suspense>
          {hasDialogs && (
            <DestinationDialogs destination={destination} dialog={dialog} close={close} />
          )}
        </Suspense>
      </>
    );
  },
);
