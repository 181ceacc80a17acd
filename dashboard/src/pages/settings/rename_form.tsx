import { Group, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { SaveButton } from "../../ui/save_button.tsx";
import { workspacesKey } from "../../api/services.ts";
import { useWorkspace } from "../../api/workspace.ts";

export function RenameForm() {
  const workspace = useWorkspace();
  const queries = useQueryClient();
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "workspace-name",
    schema: "workspaceFields",
    resource: workspace,
    initialValues: { name: workspace.name },
    toBody: (values) => values,
  });
  const readWorkspaces = () => void queries.invalidateQueries({ queryKey: workspacesKey });
  const rename = useApiAction(
    "PATCH /workspaces/{id}",
    (body: ApiBody<"PATCH /workspaces/{id}">) => ({ params: { id: workspace.id }, body }),
    {
      onSuccess: () => {
        notifications.show({ message: "Workspace renamed", color: "teal" });
        readWorkspaces();
      },
      onError: readWorkspaces,
    },
  );
  const error = generalError(rename.error);
  return (
    <form onSubmit={submitTo(rename)} noValidate>
      <DraftNotice draft={draft} />
      <Group align="flex-end" mb="md">
        <TextInput label="Name" flex={1} {...form.getInputProps("name")} />
        <SaveButton isDirty={draft.isDirty()} isPending={rename.isPending}>Rename</SaveButton>
      </Group>
      {error && <ErrorState error={error} />}
    </form>
  );
}
