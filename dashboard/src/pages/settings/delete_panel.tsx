import { Button, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApiAction } from "../../api/use_api.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { WORKSPACES_KEY } from "../../api/services.ts";
import { useWorkspace } from "../../api/workspace.ts";

export function DeletePanel() {
  const workspace = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const remove = useApiAction(
    "DELETE /workspaces/{id}",
    () => ({ params: { id: workspace.id } }),
    {
      onSuccess: async () => {
        await navigate({ to: "/" });
        queries.removeQueries({ queryKey: WORKSPACES_KEY });
      },
    },
  );
  return (
    <Paper p="lg" className="danger">
      <Title order={2} size="h4" mb={4}>Delete the workspace</Title>
      <Text size="sm" c="dimmed" mb="md">
        Deletes all its customers, events, sources, destinations, deliveries and keys. This cannot
        be undone.
      </Text>
      <Button color="red" variant="light" onClick={open}>Delete workspace</Button>
      <ConfirmModal
        isOpen={isOpen}
        close={close}
        title="Delete this workspace?"
        confirmLabel="Delete for good"
        typed={{ label: "Type its name to confirm", value: workspace.name }}
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">
          Everything in <b>{workspace.name}</b> is erased.
        </Text>
      </ConfirmModal>
    </Paper>
  );
}
