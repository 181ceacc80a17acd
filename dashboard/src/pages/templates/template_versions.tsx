import { Badge, Button, Text } from "@mantine/core";
import { HistoryIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { Template, TemplateVersion } from "../../api/types.ts";
import { useApiAction, useApiList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { showError } from "../../ui/show_error.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";

type Row = TemplateVersion & { id: string };

/** All versions of a template. Restoring one makes a new version with its contents. */
export function TemplateVersions({ template }: { template: Template }) {
  const mayEdit = useMay("member");
  const versions = useApiList("GET /templates/{id}/versions", { params: { id: template.id } });
  const restore = useApiAction(
    "PATCH /templates/{id}",
    ({ subject, html, mjml, text }: TemplateVersion) => ({
      params: { id: template.id },
      body: mjml === null ? { subject, html, text } : { subject, mjml, text },
    }),
    { onError: showError },
  );
  const columns = useMemo(
    () => makeColumns(template.version, mayEdit ? restore.mutate : undefined),
    [template.version, mayEdit],
  );
  return (
    <ListTable
      label="Versions"
      list={versions as never}
      columns={columns}
      keyOf={({ version }) => String(version)}
      empty={<EmptyState icon={HistoryIcon} title="No versions">Each change makes one.</EmptyState>}
    />
  );
}

function makeColumns(
  current: number,
  restore: ((version: TemplateVersion) => void) | undefined,
): Column<Row>[] {
  return [
    {
      label: "Version",
      cell: ({ version }) => (
        <>
          <span className="tabular">{version}</span>{" "}
          {version === current && <Badge color="green">Sent now</Badge>}
        </>
      ),
    },
    {
      label: "Subject",
      cell: ({ subject }) => (
        <Text size="sm" lineClamp={1} className="break-anywhere" dir="auto">{subject}</Text>
      ),
    },
    { label: "Saved", visibleFrom: "sm", cell: ({ created_at }) => <TimeAgo time={created_at} /> },
    {
      label: "Action",
      align: "right",
      cell: (row) =>
        restore && row.version !== current && (
          <Button
            size="xs"
            variant="default"
            onClick={() => restore(row)}
          >
            Restore
          </Button>
        ),
    },
  ];
}
