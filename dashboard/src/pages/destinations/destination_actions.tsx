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
import { useState } from "react";
import type { Destination } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useOpener } from "../../components/use_opener.ts";
import { useMay } from "../../workspace.ts";
import { DeleteDestinationModal } from "./delete_destination_modal.tsx";
import { EditDestinationModal } from "./edit_destination_modal.tsx";
import { PingButton } from "./ping_button.tsx";
import { RecoverModal } from "./recover_modal.tsx";
import { ReplayModal } from "./replay_modal.tsx";
import { RotateSecretModal } from "./rotate_secret_modal.tsx";

type Dialog = "edit" | "rotate" | "replay" | "recover" | "delete";

export function DestinationActions({ destination }: { destination: Destination }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { opener, giveBack } = useOpener();
  const isAdmin = useMay("admin");
  const isMember = useMay("member");
  const toggle = useApiAction(
    "PATCH /destinations/{id}",
    () => ({ params: { id: destination.id }, body: { enabled: !destination.enabled } }),
  );
  if (!isMember) return null;
  const props = (name: Dialog) => ({
    destination,
    isOpen: dialog === name,
    close: () => {
      setDialog(null);
      giveBack();
    },
  });
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
          <Menu.Item leftSection={<ReplyIcon />} onClick={() => setDialog("replay")}>
            Replay failed
          </Menu.Item>
          <Menu.Item leftSection={<IterationsIcon />} onClick={() => setDialog("recover")}>
            Recover missed
          </Menu.Item>
          {isAdmin && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<PencilIcon />} onClick={() => setDialog("edit")}>
                Edit
              </Menu.Item>
              <Menu.Item leftSection={<KeyAsteriskIcon />} onClick={() => setDialog("rotate")}>
                Rotate secret
              </Menu.Item>
              <Menu.Item
                leftSection={<TrashIcon />}
                color="red"
                onClick={() => setDialog("delete")}
              >
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditDestinationModal {...props("edit")} />
      <RotateSecretModal {...props("rotate")} />
      <ReplayModal {...props("replay")} />
      <RecoverModal {...props("recover")} />
      <DeleteDestinationModal {...props("delete")} />
    </>
  );
}
