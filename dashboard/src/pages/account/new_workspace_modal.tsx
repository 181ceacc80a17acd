import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApiForm } from "../../api/use_api_form.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { useServices, workspacesKey } from "../../api/services.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

export default function NewWorkspaceModal({ close }: { close: () => void }) {
  const { makeApi } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "workspace:new",
    schema: "workspaceFields",
    initialValues: { name: "" },
    toBody: (values) => values,
  });
  const create = useSingleMutation({
    mutationFn: (body: { name: string }) => makeApi().call("POST /workspaces", { body }),
    onSuccess: async (workspace) => {
      await queries.invalidateQueries({ queryKey: workspacesKey });
      close();
      await navigate({
        to: "/w/$workspaceId/getting-started",
        params: { workspaceId: workspace.id },
      });
    },
  });
  return (
    <FormModal
      isOpen
      close={close}
      title="New workspace"
      submitLabel="Create"
      onSubmit={submitTo(create)}
      isPending={create.isPending}
      error={generalError(create.error)}
      draft={draft}
    >
      <TextInput
        label="Name"
        description="Your product, or one of its environments, such as “Shop staging”"
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormModal>
  );
}
