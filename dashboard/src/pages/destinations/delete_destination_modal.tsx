import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../components/confirm_modal.tsx";
import { countOf } from "../../numbers.ts";
import { useWorkspace } from "../../workspace.ts";
import type { DestinationDialogProps } from "./dialog_props.ts";

export function DeleteDestinationModal({ destination, isOpen, close }: DestinationDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const remove = useApiAction(
    "DELETE /destinations/{id}",
    () => ({ params: { id: destination.id } }),
    {
      onSuccess: () =>
        void navigate({ to: "/w/$workspaceId/destinations", params: { workspaceId } }),
    },
  );
  return (
    <ConfirmModal
      isOpen={isOpen}
      close={close}
      title="Delete this destination?"
      confirmLabel="Delete"
      typed={{ label: "Type its name to confirm", value: destination.name }}
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Nothing more is sent to <b>{destination.name}</b>, and{" "}
        {countOf(destination.health.pending, "waiting message")}{" "}
        will not be delivered. To stop for a while, disable it instead.
      </Text>
    </ConfirmModal>
  );
}
