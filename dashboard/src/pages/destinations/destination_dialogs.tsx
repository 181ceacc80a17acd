import type { Destination } from "../../api/types.ts";
import { DeleteDestinationModal } from "./delete_destination_modal.tsx";
import { EditDestinationModal } from "./edit_destination_modal.tsx";
import { RecoverModal } from "./recover_modal.tsx";
import { ReplayModal } from "./replay_modal.tsx";
import { RotateSecretModal } from "./rotate_secret_modal.tsx";

export type Dialog = "edit" | "rotate" | "replay" | "recover" | "delete";

interface DestinationDialogsProps {
  destination: Destination;
  /** The open one. */
  dialog: Dialog | null;
  close: () => void;
}

/** What is done to a destination after a question or two; loaded when the first one is asked. */
export default function DestinationDialogs(props: DestinationDialogsProps) {
  const { destination, dialog, close } = props;
  const propsOf = (name: Dialog) => ({ destination, isOpen: dialog === name, close });
  return (
    <>
      <EditDestinationModal {...propsOf("edit")} />
      <RotateSecretModal {...propsOf("rotate")} />
      <ReplayModal {...propsOf("replay")} />
      <RecoverModal {...propsOf("recover")} />
      <DeleteDestinationModal {...propsOf("delete")} />
    </>
  );
}
