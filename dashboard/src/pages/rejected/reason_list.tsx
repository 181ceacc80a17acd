import { Anchor, Badge, Button, Group, Paper, Text, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { RejectionReason } from "../../api/types.ts";
import { useApiItem, useWholeList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { formatWhole } from "../../format/numbers.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { DiscardModal } from "./discard_modal.tsx";
import { FixModal } from "./fix_modal.tsx";
import { originLabels } from "./labels.ts";
import { listReasons } from "./list_reasons.ts";
import { filterOf } from "./resend_all.ts";
import "./reason_list.css";

/** As many reasons are in sight at first. */
const mostShown = 3;

interface ReasonListProps {
  /** Shows only the reasons of this source, whose page has no filters. */
  sourceId?: string;
}

/** The reasons of the entries that were neither resent nor discarded, the most frequent first. */
export function ReasonList({ sourceId }: ReasonListProps) {
  const [isWhole, setWhole] = useState(false);
  const [fixed, fix] = useState<RejectionReason>();
  const [discarded, discard] = useState<RejectionReason>();
  const reasons = useApiItem("GET /rejected-entries/reasons", {
    query: { ...sourceId !== undefined && { source_id: sourceId } },
  }, { refetchInterval: 10_000 });
  const nameSource = useSourceNames(reasons.data?.data ?? []);
  const all = reasons.data?.data ?? [];
  return (
    <>
      {all.length > 0 && (
        <Paper mb="md" className="reasons" component="section" aria-label="By reason">
          <Group justify="space-between" px="md" pt="sm" pb={4}>
            <Title order={2} size="h5">By reason</Title>
            {!reasons.data!.is_complete && (
              <Text size="xs" c="dimmed">Of the newest entries only</Text>
            )}
          </Group>
          <ul>
            {all.slice(0, isWhole ? all.length : mostShown).map((reason) => (
              <ReasonRow
                key={keyOf(reason)}
                reason={reason}
                place={sourceId === undefined ? nameSource(reason) : undefined}
                canFilter={sourceId === undefined}
                fix={() => fix(reason)}
                discard={() =>
                  discard(reason)}
              />
            ))}
          </ul>
          {all.length > mostShown && (
            <Button
              variant="subtle"
              size="compact-sm"
              m="xs"
              onClick={() => setWhole(!isWhole)}
              aria-expanded={isWhole}
            >
              {isWhole ? "Show fewer" : `Show all ${all.length} reasons`}
            </Button>
          )}
        </Paper>
      )}
      {/* Outside of the panel, which goes with its last entry. */}
      {fixed && (
        <FixModal
          target={{ kind: "reason", reason: fixed }}
          close={() => fix(undefined)}
        />
      )}
      {discarded && <DiscardModal reason={discarded} close={() => discard(undefined)} />}
    </>
  );
}

function keyOf({ reason, code, field, origin, source_id }: RejectionReason): string {
  return JSON.stringify([reason, code, field, origin, source_id]);
}

/** Names the channel by which entries of a reason arrive: for a source, its name. */
function useSourceNames(reasons: readonly RejectionReason[]) {
  const isNeeded = reasons.some(({ source_id }) => source_id !== null);
  const sources = useWholeList("GET /sources", {}, { enabled: isNeeded });
  return ({ origin, source_id }: RejectionReason) =>
    sources.find(({ id }) => id === source_id)?.name ?? originLabels[origin];
}

interface ReasonRowProps {
  reason: RejectionReason;
  /** The channel, if it is not the same for all. */
  place: string | undefined;
  canFilter: boolean;
  fix: () => void;
  discard: () => void;
}

function ReasonRow({ reason, place, canFilter, fix, discard }: ReasonRowProps) {
  const { filters, setFilters } = useFilters();
  const mayResend = useMay("member");
  const wanted = filtersOf(reason);
  const isChosen = Object.entries(wanted).every(([name, value]) =>
    filters[name as keyof typeof wanted] === value
  );
  const [first, ...others] = listReasons(reason.reason);
  const text = (
    <>
      <Text size="sm" className="break-anywhere" lineClamp={2}>{first}</Text>
      {others.length > 0 && (
        <Text size="xs" c="dimmed" className="break-anywhere" lineClamp={2}>
          {others.join("; ")}
        </Text>
      )}
    </>
  );
  return (
    <li className="list-row" data-chosen={canFilter && isChosen || undefined}>
      <Badge className="reason-count tabular" color="yellow" size="lg">
        {formatWhole(reason.entries)}
      </Badge>
      <div className="reason-text">
        {canFilter
          ? (
            <UnstyledButton
              className="row-link"
              aria-pressed={isChosen}
              onClick={() => setFilters(isChosen ? noFilters : wanted)}
            >
              {text}
            </UnstyledButton>
          )
          : text}
        <Text size="xs" c="dimmed" component="div" mt={2}>
          {place !== undefined && (
            <>
              <bdi>{place}</bdi> ·{" "}
            </>
          )}
          {reason.entries > 1 && (
            <>
              First <TimeAgo time={reason.first_at} /> ·{" "}
            </>
          )}
          {reason.entries > 1 && "Last "}
          <TimeAgo time={reason.last_at} /> ·{" "}
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => setFilters({ entry: reason.example_id })}
          >
            Example
          </Anchor>
        </Text>
      </div>
      {mayResend && (
        <Group gap="xs" justify="flex-end">
          <Button variant="default" size="compact-sm" onClick={fix}>Fix and resend all…</Button>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={discard}>
            Discard all…
          </Button>
        </Group>
      )}
    </li>
  );
}

const noFilters = {
  code: undefined,
  field: undefined,
  origin: undefined,
  source_id: undefined,
  reason: undefined,
  status: undefined,
};

/** The filters of the list that find the entries of a reason. */
function filtersOf(reason: RejectionReason) {
  return { ...noFilters, ...filterOf(reason), status: "rejected" };
}
