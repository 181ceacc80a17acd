import { Button, Text } from "@mantine/core";
import { GoalIcon, PlusIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { Campaign, Sender } from "../../api/types.ts";
import { useApiList, useWholeList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { formatCount, formatShare } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { Filters } from "../../ui/filters.tsx";
import { FindByName } from "../../ui/find_by_name.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { nameColumn, showName } from "../../ui/name_column.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { useFilters } from "../../url/use_filters.ts";
import { canSend, describeTrouble } from "./campaign_sender.ts";
import { CampaignState, stateLabels } from "./campaign_state.tsx";
import { Select } from "../../ui/overlays.tsx";

const stateOptions = Object.entries(stateLabels).map(([value, label]) => ({ value, label }));
const refreshMs = 5_000;
const sendersMs = 10_000;

export function CampaignsPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const { filters, setFilters } = useFilters();
  const state = stateOptions.some(({ value }) => value === filters.state)
    ? filters.state as Campaign["state"]
    : undefined;
  const sort = useNameSort();
  const campaigns = useApiList("GET /campaigns", { query: { state, sort } }, {
    refetchInterval: refreshMs,
  });
  const segments = useWholeList("GET /segments", {});
  const senders = useWholeList("GET /senders", {}, { refetchInterval: sendersMs });
  const columns = useMemo(
    () =>
      makeColumns({
        segments: new Map(segments.map(({ id, name }) => [id, name])),
        senders: new Map(senders.map((sender) => [sender.id, sender])),
      }),
    [segments, senders],
  );
  const create = mayEdit && (
    <Button {...linkTo(`/w/${id}/campaigns/new`)} leftSection={<PlusIcon />}>New campaign</Button>
  );
  return (
    <Page
      title="Campaigns"
      description="A template, sent once to the members of a segment."
      actions={create}
    >
      <Filters>
        <FindByName noun="campaign" describe={({ subtitle }) => nameState(subtitle)} />
        <Select
          aria-label="State"
          placeholder="Any state"
          data={stateOptions}
          value={state ?? null}
          onChange={(value: string | null) => setFilters({ state: value ?? undefined })}
          clearable
        />
      </Filters>
      <ListTable
        label="Campaigns"
        list={campaigns}
        columns={columns}
        linkTo={(campaign) => `/w/${id}/campaigns/${campaign.id}`}
        empty={state
          ? <NoMatches title="No matching campaigns">Remove the filter to see more.</NoMatches>
          : (
            <EmptyState icon={GoalIcon} title="No campaigns yet" action={create}>
              {mayEdit
                ? "Choose a segment, a template and a sender. Nothing is sent until you confirm."
                : "Ask an admin of this workspace to create one."}
            </EmptyState>
          )}
      />
    </Page>
  );
}

/** Segments and senders of campaigns by ID; empty until they are read. */
interface Named {
  /** Names. */
  segments: ReadonlyMap<string, string>;
  senders: ReadonlyMap<string, Sender>;
}

function makeColumns({ segments, senders }: Named): Column<Campaign>[] {
  const nameSegment = (id: string) => segments.get(id) ?? (segments.size > 0 ? "Deleted" : "…");
  return [
    {
      ...nameColumn<Campaign>("Campaign"),
      cell: (row) => showName({ ...row, note: `To ${nameSegment(row.segment)}` }),
    },
    {
      label: "State",
      cell: (row) => <StateCell campaign={row} sender={senders.get(row.sender)} />,
    },
    {
      label: "Recipients",
      align: "right",
      visibleFrom: "lg",
      cell: ({ recipients }) => (
        <span className="tabular">{recipients === null ? "–" : formatCount(recipients)}</span>
      ),
    },
    {
      label: "Sent",
      align: "right",
      cell: ({ sent, recipients }) => <Part count={sent} of={recipients} />,
    },
    {
      label: "Opened",
      align: "right",
      visibleFrom: "sm",
      cell: ({ opened, sent, recipients }) => (
        <Part count={opened} of={recipients === null ? null : sent} />
      ),
    },
    {
      label: "Clicked",
      align: "right",
      visibleFrom: "sm",
      cell: ({ clicked, sent, recipients }) => (
        <Part count={clicked} of={recipients === null ? null : sent} />
      ),
    },
    {
      label: "Not sent",
      align: "right",
      visibleFrom: "lg",
      cell: ({ skipped, failed, recipients }) => (
        <Part
          count={Object.values(skipped).reduce((sum, count) => sum + count, failed)}
          of={recipients}
        />
      ),
    },
    { label: "When", align: "right", visibleFrom: "md", cell: showWhen },
  ];
}

/** The state of a campaign, and what keeps its sender from sending. */
function StateCell({ campaign, sender }: { campaign: Campaign; sender: Sender | undefined }) {
  const isWaiting = campaign.state !== "draft" && canSend(campaign);
  const trouble = sender && isWaiting ? describeTrouble(sender) : null;
  return (
    <>
      <CampaignState state={campaign.state} sender={sender} />
      {sender && trouble && (
        <Text size="xs" c="dimmed" mt={4} lineClamp={2} className="break-anywhere">
          <bdi>{sender.name}</bdi> {trouble}
        </Text>
      )}
    </>
  );
}

/** The last step of a campaign, or its next one, with its time. */
function showWhen({ started_at, send_at, created_at, state }: Campaign) {
  const [step, time] = started_at !== null
    ? ["Started", started_at]
    : state === "scheduled" && send_at !== null
    ? ["Starts", send_at]
    : ["Created", created_at];
  return (
    <>
      <TimeAgo time={time} />
      <Text size="xs" c="dimmed">{step}</Text>
    </>
  );
}

function nameState(state: string | null): string {
  return stateLabels[state as Campaign["state"]] ?? "";
}

/** A part of the recipients or mails, its share below; nothing before the audience is fixed. */
function Part({ count, of }: { count: number; of: number | null }) {
  if (of === null) return <span className="tabular">–</span>;
  return (
    <>
      <span className="tabular">{formatCount(count)}</span>
      <Text size="xs" c="dimmed" className="tabular" visibleFrom="sm">
        {formatShare(count, of)}
      </Text>
    </>
  );
}
