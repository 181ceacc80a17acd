import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { VersionsIcon } from "@primer/octicons-react";
import { type ReactNode, useMemo, useState } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey, JourneyVersion } from "../../../api/types.ts";
import { listRows, useApiList, useWholeList } from "../../../api/use_api.ts";
import { ComparedVersions, type Comparison } from "../../../ui/compared_versions.tsx";
import { countOf } from "../../../format/numbers.ts";
import { EmptyState } from "../../../ui/empty_state.tsx";
import { ErrorState } from "../../../ui/error_state.tsx";
import { LoadMore } from "../../../ui/load_more.tsx";
import { TableSkeleton } from "../../../ui/skeletons.tsx";
import { TimeAgo } from "../../../ui/time_ago.tsx";
import { describePart } from "../model/describe_part.ts";
import { diffDefinitions } from "../model/diff_definitions.ts";
import type { NameOf } from "../model/name_of.ts";
import { resolveNames } from "../model/resolve_names.ts";
import { useNames } from "../use_names.ts";
import { DefinitionChanges, kindTexts } from "./definition_changes.tsx";
import { type ReplaceableDraft, RestoreVersion } from "./restore_version.tsx";

const draft = "draft";

const readDefinition = ({ definition }: JourneyVersion) => definition as Definition;

interface VersionListProps {
  journey: Journey;
  /** Left out for those who cannot change it. */
  draft: ReplaceableDraft | undefined;
}

/** The versions of a journey, and the difference between two of them. */
export function VersionList({ journey, draft: replaceable }: VersionListProps) {
  const { lists, nameOf } = useNames();
  const resolve = (definition: Definition) => resolveNames(definition, lists);
  const versions = useApiList("GET /journeys/{id}/versions", { params: { id: journey.id } });
  const authors = useAuthors();
  const [chosen, setChosen] = useState<Comparison>();
  if (versions.isPending) return <TableSkeleton columns={3} />;
  if (versions.isError) return <ErrorState error={versions.error} retry={versions.refetch} />;
  const rows = listRows(versions);
  if (rows.length === 0) {
    return (
      <Paper>
        <EmptyState icon={VersionsIcon} title="No versions yet">
          Publishing the draft creates version 1.
        </EmptyState>
      </Paper>
    );
  }
  const { from, to } = chosen ?? { from: `${rows[0]!.version}`, to: draft };
  return (
    <Stack>
      <Paper p="md">
        <Title order={2} size="h5" mb="md">History</Title>
        <Stack gap="md" component="ul" className="plain-list" m={0} p={0}>
          {rows.map((row, n) => (
            <VersionRow
              key={row.version}
              row={row}
              author={authors.get(row.published_by)}
              changes={rows[n + 1] &&
                nameChanges(readDefinition(rows[n + 1]!), readDefinition(row), nameOf)}
              isCurrent={row.version === journey.version}
              compare={() =>
                setChosen({
                  from: `${rows[n + 1]?.version ?? row.version}`,
                  to: `${row.version}`,
                })}
              isFirst={rows[n + 1] === undefined}
            >
              {replaceable && <RestoreVersion row={row} draft={replaceable} resolve={resolve} />}
            </VersionRow>
          ))}
        </Stack>
        <LoadMore list={versions} />
      </Paper>
      <Difference
        journey={journey}
        versions={rows}
        from={from}
        to={to}
        choose={setChosen}
        resolve={resolve}
        nameOf={nameOf}
      />
    </Stack>
  );
}

/** Email addresses of the members, by their id. */
function useAuthors(): ReadonlyMap<string | null, string | null> {
  const members = useWholeList("GET /members", {});
  return useMemo(() => new Map(members.map(({ user_id, email }) => [user_id, email])), [members]);
}

interface VersionRowProps {
  row: JourneyVersion;
  /** Left out for API keys and former members. */
  author: string | null | undefined;
  /** Parts that differ from the version before; undefined if that is not loaded. */
  changes: readonly string[] | undefined;
  isCurrent: boolean;
  isFirst: boolean;
  compare: () => void;
  children: ReactNode;
}

function VersionRow(props: VersionRowProps) {
  const { row, author, changes, isCurrent, isFirst, compare, children } = props;
  const steps = countOf(Object.keys(readDefinition(row).steps).length, "step");
  return (
    <Group component="li" justify="space-between" gap="xs">
      <div className="version-text">
        <Group gap="sm">
          <Text size="sm" fw={600}>Version {row.version}</Text>
          {isCurrent && <Badge color="teal">Current</Badge>}
          <Text size="sm" c="dimmed" component="span">
            Published <TimeAgo time={row.published_at} />
            {author && (
              <>
                {" "}by <bdi className="break-anywhere">{author}</bdi>
              </>
            )}
            {" · "}
            {steps}
            {changes !== undefined && ` · ${countOf(changes.length, "change")}`}
          </Text>
        </Group>
        {changes !== undefined && changes.length > 0 && (
          <Text size="sm" mt={2} lineClamp={2} className="break-anywhere" dir="auto">
            {summarizeChanges(changes)}
          </Text>
        )}
      </div>
      <Group gap={4} className="version-actions">
        {!isFirst && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Changes of version ${row.version}`}
            onClick={compare}
          >
            Changes
          </Button>
        )}
        {children}
      </Group>
    </Group>
  );
}

/** Most changes that a row names. */
const mostNamed = 3;

function summarizeChanges(changes: readonly string[]): string {
  const more = changes.length - mostNamed;
  return [...changes.slice(0, mostNamed), ...more > 0 ? [`${more} more`] : []].join(" · ");
}

/** Names the parts in which two definitions differ: "Added Wait: For 1 day". */
function nameChanges(before: Definition, after: Definition, nameOf: NameOf): string[] {
  return diffDefinitions(before, after).map(({ part, kind }) => {
    const definition = kind === "removed" ? before : after;
    return `${kindTexts[kind]} ${describePart(part, { definition, nameOf }) ?? part}`;
  });
}

interface DifferenceProps extends Comparison {
  journey: Journey;
  versions: readonly JourneyVersion[];
  choose: (chosen: Comparison) => void;
  resolve: (definition: Definition) => Definition;
  nameOf: NameOf;
}

function Difference({ journey, versions, resolve, nameOf, ...chosen }: DifferenceProps) {
  const options = [
    { value: draft, label: "Draft" },
    ...versions.map(({ version }) => ({ value: `${version}`, label: `Version ${version}` })),
  ];
  const find = (value: string) => {
    const version = versions.find((row) => `${row.version}` === value);
    return resolve((version ?? journey).definition as Definition);
  };
  return (
    <ComparedVersions {...chosen} options={options}>
      <DefinitionChanges
        before={find(chosen.from)}
        after={find(chosen.to)}
        nameOf={nameOf}
        empty={describeEqual(chosen)}
      />
    </ComparedVersions>
  );
}

/** Says that the two chosen definitions are equal, by their names. */
function describeEqual({ from, to }: Comparison): string {
  if (from === to) return "Choose two different versions.";
  const versions = [from, to].filter((value) => value !== draft);
  return versions.length === 2
    ? `No differences. Versions ${from} and ${to} are equal.`
    : `No differences. The draft is the same as version ${versions[0]}.`;
}
