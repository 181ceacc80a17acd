import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { AlertIcon, PencilIcon, TrashIcon } from "@primer/octicons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Template } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { TemplateModal } from "./template_modal.tsx";

export function TemplatePage() {
  const { templateId } = useParams({ from: "/w/$workspaceId/templates/$templateId" });
  const template = useApiItem("GET /templates/{id}", { params: { id: templateId } });
  return <ItemView item={template}>{(data) => <Details template={data} />}</ItemView>;
}

function Details({ template }: { template: Template }) {
  return (
    <Page
      title={template.name}
      above={<BackLink path="/templates">Templates</BackLink>}
      heading={<bdi>{template.name}</bdi>}
      actions={<TemplateActions template={template} />}
    >
      {template.warnings.length > 0 && (
        <Alert color="yellow" icon={<AlertIcon />} title="Warnings" mb="lg">
          {template.warnings.map((warning) => <Text key={warning} size="sm">{warning}</Text>)}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Paper p="md">
          <Source template={template} />
        </Paper>
        <Paper p="md">
          <Preview template={template} />
        </Paper>
      </SimpleGrid>
    </Page>
  );
}

function Source({ template }: { template: Template }) {
  return (
    <Stack>
      <FieldList
        fields={[
          ["Subject", <bdi key="subject" className="whole-row">{template.subject}</bdi>],
          ["Key", template.key],
          ["Version", template.version],
          ["Updated", <TimeAgo key="updated" time={template.updated_at} />],
          ["Variables", template.variables.join(", ") || null],
          ["Template ID", <IdText key="id" value={template.id} label="template ID" />],
        ]}
      />
      <Title order={2} size="h5">{template.mjml ? "MJML" : template.html ? "HTML" : "Text"}</Title>
      <CodeView
        code={template.mjml ?? template.html ?? template.text ?? ""}
        language="json"
        label="Body"
      />
    </Stack>
  );
}

/** The template as a customer would get it. It is shown as text: it may contain any markup. */
function Preview({ template }: { template: Template }) {
  const { filters, setFilters } = useFilters();
  const { customer_id } = filters;
  const preview = useApiAction(
    "POST /templates/{id}/preview",
    () => ({ params: { id: template.id }, body: customer_id ? { customer_id } : {} }),
  );
  useEffect(() => preview.mutate(), [template.version, customer_id]);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h5">Preview</Title>
        <CustomerFilter value={customer_id} onChange={(id) => setFilters({ customer_id: id })} />
      </Group>
      {preview.error && <ErrorState error={preview.error} />}
      {preview.data && (
        <>
          <FieldList fields={[["Subject", <bdi key="subject">{preview.data.subject}</bdi>]]} />
          <CodeView
            code={preview.data.text ?? preview.data.html ?? ""}
            language="json"
            label="Rendered text"
          />
        </>
      )}
    </Stack>
  );
}

function TemplateActions({ template }: { template: Template }) {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMay("member");
  const navigate = useNavigate();
  const [isEditing, edit] = useDisclosure();
  const [isDeleting, remove] = useDisclosure();
  const deletion = useApiAction(
    "DELETE /templates/{id}",
    () => ({ params: { id: template.id } }),
    {
      onSuccess: () => void navigate({ to: "/w/$workspaceId/templates", params: { workspaceId } }),
    },
  );
  if (!mayEdit) return null;
  return (
    <>
      <Button variant="default" leftSection={<PencilIcon />} onClick={edit.open}>Edit</Button>
      <Button variant="light" color="red" leftSection={<TrashIcon />} onClick={remove.open}>
        Delete
      </Button>
      {isEditing && <TemplateModal template={template} isOpen close={edit.close} />}
      <DeleteModal
        isOpen={isDeleting}
        close={remove.close}
        noun="template"
        name={template.name}
        action={deletion}
      >
        Deletes <bdi>{template.name}</bdi> with all its versions.
      </DeleteModal>
    </>
  );
}
