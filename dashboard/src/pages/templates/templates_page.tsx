import { Badge, Button, Text } from "@mantine/core";
import { FileIcon, PlusIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import type { TemplateSummary } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { Filters } from "../../ui/filters.tsx";
import { FindByName } from "../../ui/find_by_name.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { nameColumn, showName } from "../../ui/name_column.tsx";
import { Page } from "../../ui/page.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";

const TemplateModal = lateDialog(async () => (await import("./template_modal.tsx")).TemplateModal);

export function TemplatesPage() {
  const { id } = useWorkspace();
  const navigate = useNavigate();
  const mayEdit = useMay("member");
  const sort = useNameSort();
  const templates = useApiList("GET /templates", { query: { sort } });
  const [isCreating, { open, close }] = useDraftDialog("template:new");
  const create = mayEdit && <Button leftSection={<PlusIcon />} onClick={open}>New template</Button>;
  return (
    <Page
      title="Templates"
      description="Emails in Liquid, as HTML, MJML or text."
      actions={create}
    >
      <Filters>
        <FindByName noun="template" />
      </Filters>
      <ListTable
        label="Templates"
        list={templates}
        columns={columns}
        linkTo={(template) => `/w/${id}/templates/${template.id}`}
        empty={
          <EmptyState icon={FileIcon} title="No templates yet" action={create}>
            A template has a subject and a body, which can contain values of the customer.
          </EmptyState>
        }
      />
      {isCreating && (
        <TemplateModal
          isOpen
          close={close}
          onCreated={(template) =>
            void navigate({
              to: "/w/$workspaceId/templates/$templateId",
              params: { workspaceId: id, templateId: template.id },
            })}
        />
      )}
    </Page>
  );
}

const columns: Column<TemplateSummary>[] = [
  {
    ...nameColumn<TemplateSummary>("Template"),
    cell: (row) => showName({ ...row, note: row.subject }),
  },
  {
    label: "Key",
    visibleFrom: "md",
    cell: ({ key }) =>
      key === null
        ? <Text size="sm" c="dimmed">–</Text>
        : <Text size="xs" ff="monospace" className="break-anywhere">{key}</Text>,
  },
  {
    label: "In use by",
    visibleFrom: "sm",
    cell: ({ used_by }) => (
      <Text size="sm" c={used_by.length === 0 ? "dimmed" : undefined} lineClamp={1}>
        {used_by.map(({ name }) =>
          `“${name}”`
        ).join(", ") || "Not in use"}
      </Text>
    ),
  },
  {
    label: "Warnings",
    align: "right",
    visibleFrom: "md",
    cell: ({ warnings }) =>
      warnings.length === 0
        ? <Text size="sm" c="dimmed">–</Text>
        : <Badge color="yellow">{warnings.length}</Badge>,
  },
  {
    label: "Version",
    align: "right",
    visibleFrom: "sm",
    cell: ({ version }) => <span className="tabular">{version}</span>,
  },
  {
    label: "Updated",
    align: "right",
    cell: (template) => <TimeAgo time={template.updated_at} />,
  },
];
