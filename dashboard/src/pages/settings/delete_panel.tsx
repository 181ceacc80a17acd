import { Button, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Workspace } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { workspacesKey } from "../../api/services.ts";
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
        // Without it, the first page would open the deleted workspace again.
        queries.setQueryData<Workspace[]>(
          workspacesKey,
          (workspaces) => workspaces?.filter(({ id }) => id !== workspace.id),
        );
        notifications.show({ message: `${workspace.name} deleted`, color: "teal" });
        await navigate({ to: "/" });
        queries.removeQueries({ queryKey: [workspace.id] });
      },
    },
  );
  return (
    <Paper p="lg" className="danger">
      <Title order={2} size="h4" mb={4}>Delete workspace</Title>
      <Text size="sm" c="dimmed" mb="md">
        Deletes all customers, events, sources, destinations, deliveries and keys of this workspace.
        This can’t be undone.
      </Text>
      <Button color="red" variant="light" onClick={open}>Delete workspace</Button>
      <DeleteModal
        isOpen={isOpen}
        close={close}
        noun="workspace"
        name={workspace.name}
        action={remove}
      >
        Permanently deletes <b dir="auto">{workspace.name}</b> and everything in it.
      </DeleteModal>
    </Paper>
  );
}
