import {
  Anchor,
  Badge,
  Box,
  Button,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { CheckCircleIcon, DotFillIcon, WebhookIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { ApiResponse } from "../../api/api_client.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { SenderHealth } from "../senders/sender_health.tsx";
import type { Problem } from "./list_problems.ts";
import { useDestinationHealth } from "./use_destination_health.ts";

const shownCount = 6;

/** The things that wait for a person: they fail, are disabled, were rejected or have an open alert. */
export function Attention({ problems }: { problems: readonly Problem[] }) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? problems : problems.slice(0, shownCount);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">Needs attention</Title>
        {problems.length > rows.length && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => setWhole(true)}
          >
            Show all {problems.length}
          </Anchor>
        )}
      </Group>
      <Stack gap={0}>
        {rows.map((problem) => <Row key={problem.key} problem={problem} />)}
      </Stack>
    </Paper>
  );
}

function Row({ problem }: { problem: Problem }) {
  const { id } = useWorkspace();
  const { title, note, failedAt, badge, path, search } = problem;
  return (
    <Group
      justify="space-between"
      wrap="nowrap"
      className="plain-row"
      {...linkTo(`/w/${id}${path}`, search)}
    >
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate dir="auto">{title}</Text>
        <Text size="xs" c="dimmed" lineClamp={2} component="div" className="break-anywhere">
          {note}
          {failedAt && (
            <>
              , last failure <TimeAgo time={failedAt} />
            </>
          )}
        </Text>
      </div>
      <Box flex="none">
        {"sender" in badge
          ? <SenderHealth sender={badge.sender} />
          : <Badge color={badge.color} leftSection={<DotFillIcon size={12} />}>{badge.label}
          </Badge>}
      </Box>
    </Group>
  );
}

/** Says that nothing needs attention, once that is known. */
export function NoAttention() {
  const destinations = useDestinationHealth();
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Needs attention</Title>
      {destinations.error && <ErrorState error={destinations.error} retry={destinations.refetch} />}
      {destinations.isPending && <Skeleton h={120} />}
      {destinations.data && <NothingFailing counts={destinations.data.counts} />}
    </Paper>
  );
}

function NothingFailing({ counts }: { counts: ApiResponse<"GET /destinations">["counts"] }) {
  const { id } = useWorkspace();
  if (counts.total === 0) {
    return (
      <EmptyState
        icon={WebhookIcon}
        title="No destinations yet"
        action={
          <Button variant="default" {...linkTo(`/w/${id}/destinations`)}>Go to destinations</Button>
        }
      >
        Destinations forward events to your systems.
      </EmptyState>
    );
  }
  const states = [
    [counts.healthy, "healthy"],
    [counts.disabled, "disabled"],
    [counts.unused, "not used yet"],
  ] as const;
  return (
    <EmptyState icon={CheckCircleIcon} title="No failing destinations">
      {countOf(counts.total, "destination")}: {states.filter(([count]) => count > 0)
        .map(([count, label]) => `${count} ${label}`).join(", ")}.
    </EmptyState>
  );
}
