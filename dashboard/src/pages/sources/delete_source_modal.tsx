import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../components/confirm_modal.tsx";
import { useWorkspace } from "../../workspace.ts";
import type { SourceDialogProps } from "./dialog_props.ts";

export function DeleteSourceModal({ source, isOpen, close }: SourceDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const remove = useApiAction("DELETE /sources/{id}", () => ({ params: { id: source.id } }), {
    onSuccess: () => void navigate({ to: "/w/$workspaceId/sources", params: { workspaceId } }),
  });
  return (
    <ConfirmModal
      isOpen={isOpen}
      close={close}
      title="Delete this source?"
      confirmLabel="Delete"
      typed={{ label: "Type its name to confirm", value: source.name }}
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Whatever <b>{source.name}</b>{" "}
        sends is answered with 404 from then on. Events that came of it stay.
      </Text>
    </ConfirmModal>
  );
}
