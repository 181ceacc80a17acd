import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { HistoryIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Template, TemplateVersion } from "../../api/types.ts";
import { type ListQuery, listRows, useApiAction, useApiList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { ComparedVersions, type Comparison } from "../../ui/compared_versions.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { showError } from "../../ui/show_error.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { VersionDifference } from "./version_difference.tsx";

type Row = TemplateVersion & { id: string };

/** The versions of a template, and the difference between two of them. */
export function TemplateVersions({ template }: { template: Template }) {
  const mayEdit = useMay("member");
  const versions = useApiList("GET /templates/{id}/versions", { params: { id: template.id } });
  const rows = listRows(versions);
  const [chosen, choose] = useState<Comparison>();
  // Restoring makes a new version with the contents of an old one.
  const restore = useApiAction(
    "PATCH /templates/{id}",
    ({ subject, html, mjml, text, is_text_generated }: TemplateVersion) => ({
      params: { id: template.id },
      body: {
        subject,
        ...mjml === null ? { html, mjml } : { mjml },
        text: is_text_generated ? null : text,
      },
    }),
    { onError: showError },
  );
  const columns = makeColumns({
    current: template.version,
    compare: (version) => choose({ from: String(version - 1), to: String(version) }),
    restore: mayEdit ? restore.mutate : undefined,
    hasActions: rows.length > 1,
  });
  return (
    <Stack>
      <ListTable
        label="Versions"
        // A version has a number and no id.
        list={versions as unknown as ListQuery<Row>}
        columns={columns}
        keyOf={({ version }) => String(version)}
        empty={
          <EmptyState icon={HistoryIcon} title="No versions">Each change creates one.</EmptyState>
        }
      />
      {rows.length > 1 && (
        <Difference
          versions={rows}
          {...chosen ?? { from: String(rows[1]!.version), to: String(rows[0]!.version) }}
          choose={choose}
        />
      )}
    </Stack>
  );
}

interface DifferenceProps extends Comparison {
  versions: readonly TemplateVersion[];
  choose: (comparison: Comparison) => void;
}

function Difference({ versions, ...chosen }: DifferenceProps) {
  const options = versions.map(({ version }) => ({
    value: String(version),
    label: `Version ${version}`,
  }));
  const find = (wanted: string) => versions.find(({ version }) => String(version) === wanted);
  const [before, after] = [find(chosen.from), find(chosen.to)];
  return (
    <ComparedVersions {...chosen} options={options}>
      {before && after
        ? <VersionDifference before={before} after={after} />
        : <Text size="sm" c="dimmed">Load more versions to compare these.</Text>}
    </ComparedVersions>
  );
}

interface VersionActions {
  current: number;
  /** False while there is only one version. */
  hasActions: boolean;
  compare: (version: number) => void;
  /** Undefined for users who may only read. */
  restore: ((version: TemplateVersion) => void) | undefined;
}

function makeColumns({ current, compare, restore, ...options }: VersionActions): Column<Row>[] {
  const columns: Column<Row>[] = [
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
        <Text size="sm" lineClamp={2} className="break-anywhere" dir="auto">{subject}</Text>
      ),
    },
    { label: "Saved", visibleFrom: "sm", cell: ({ created_at }) => <TimeAgo time={created_at} /> },
    {
      label: "Actions",
      align: "right",
      cell: (row) => (
        <Group gap="xs" justify="flex-end">
          {row.version > 1 && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Changes of version ${row.version}`}
              onClick={() => compare(row.version)}
            >
              Changes
            </Button>
          )}
          {restore && row.version !== current && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Restore version ${row.version}`}
              onClick={() => restore(row)}
            >
              Restore
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return options.hasActions ? columns : columns.slice(0, -1);
}
