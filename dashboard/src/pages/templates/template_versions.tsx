import { Badge, Button, Group, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { HistoryIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Template, TemplateVersion } from "../../api/types.ts";
import { type ListQuery, listRows, useApiAction, useApiList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { showError } from "../../ui/show_error.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { VersionDifference } from "./version_difference.tsx";

type Row = TemplateVersion & { id: string };

/** Numbers of two versions to compare. */
interface Comparison {
  from: number;
  to: number;
}

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
    compare: (version) => choose({ from: version - 1, to: version }),
    restore: mayEdit ? restore.mutate : undefined,
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
          <EmptyState icon={HistoryIcon} title="No versions">Each change makes one.</EmptyState>
        }
      />
      {rows.length > 1 && (
        <Difference
          versions={rows}
          {...chosen ?? { from: rows[1]!.version, to: rows[0]!.version }}
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

function Difference({ versions, from, to, choose }: DifferenceProps) {
  const options = versions.map(({ version }) => ({
    value: String(version),
    label: `Version ${version}`,
  }));
  const find = (wanted: number) => versions.find(({ version }) => version === wanted);
  const [before, after] = [find(from), find(to)];
  return (
    <Paper p="md">
      <Group mb="md" align="center">
        <Title order={2} size="h5">Difference</Title>
        <Select
          aria-label="From"
          data={options}
          value={String(from)}
          onChange={(value: string | null) => choose({ from: Number(value ?? from), to })}
          allowDeselect={false}
          w={150}
        />
        <Text size="sm">to</Text>
        <Select
          aria-label="To"
          data={options}
          value={String(to)}
          onChange={(value: string | null) => choose({ from, to: Number(value ?? to) })}
          allowDeselect={false}
          w={150}
        />
      </Group>
      {before && after
        ? <VersionDifference before={before} after={after} />
        : <Text size="sm" c="dimmed">Load more versions to compare these.</Text>}
    </Paper>
  );
}

interface VersionActions {
  current: number;
  compare: (version: number) => void;
  /** Undefined for users who may only read. */
  restore: ((version: TemplateVersion) => void) | undefined;
}

function makeColumns({ current, compare, restore }: VersionActions): Column<Row>[] {
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
}
