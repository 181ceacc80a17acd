import { Alert, Anchor, List, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { CheckIcon, ClockIcon, QuestionIcon, XIcon } from "@primer/octicons-react";
import { formatTimesIn } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { useApiItem, useReadList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { FilterSelect } from "../../ui/filter_select.tsx";
import { Filters } from "../../ui/filters.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { MarkedItem } from "../../ui/marked_item.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import type { SendExplanation } from "../../api/types.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";
import { findStepOfCheck } from "./find_next_step.ts";
import { colorOfAnswer, isWaiting } from "./judge_answer.ts";

type Check = SendExplanation["checks"][number];

/** Answers why a customer got something or not. */
export function ExplainPage() {
  const { filters, setFilters } = useFilters();
  const { customer_id, campaign_id, journey_id } = filters;
  const campaigns = useReadList("GET /campaigns", {});
  const journeys = useReadList("GET /journeys", {});
  return (
    <Page
      title="Why wasn’t it sent?"
      above={<BackLink path="/sends">Sends</BackLink>}
      description="Each check, in order."
    >
      <Filters isMain>
        <CustomerFilter
          value={customer_id}
          onChange={(value) => setFilters({ customer_id: value })}
        />
        <FilterSelect
          label="Campaign"
          list={campaigns}
          value={campaign_id}
          onChange={(value) => setFilters({ campaign_id: value, journey_id: undefined })}
        />
        <FilterSelect
          label="Journey"
          list={journeys}
          value={journey_id}
          onChange={(value) => setFilters({ journey_id: value, campaign_id: undefined })}
        />
      </Filters>
      {customer_id ? <Answer customerId={customer_id} /> : (
        <Paper>
          <EmptyState icon={QuestionIcon} title="Choose a customer">
            Then choose a campaign or a journey, or leave both empty to see all emails.
          </EmptyState>
        </Paper>
      )}
    </Page>
  );
}

function Answer({ customerId }: { customerId: string }) {
  const { campaign_id, journey_id } = useFilters().filters;
  const zone = useZone();
  const explanation = useApiItem("GET /sends/explain", {
    query: { customer_id: customerId, campaign_id, journey_id },
  });
  return (
    <ItemView item={explanation} skeleton={<Skeleton h={180} />}>
      {({ answer, checks }) => (
        <Stack>
          <Alert color={colorOfAnswer(checks)} title={formatTimesIn(answer, zone)} />
          <CheckList title="Checks" checks={checks.filter(({ subject }) => subject !== "send")} />
          <CheckList
            title="Newest emails"
            checks={checks.filter(({ subject }) => subject === "send")}
          />
        </Stack>
      )}
    </ItemView>
  );
}

function CheckList({ title, checks }: { title: string; checks: Check[] }) {
  const zone = useZone();
  if (checks.length === 0) return null;
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="md">{title}</Title>
      <List spacing="sm" listStyleType="none" center={false}>
        {checks.map((check, index) => (
          <MarkedItem
            key={check.subject + String(index)}
            {...lookOf(check)}
          >
            <Text size="sm" className="break-anywhere">
              {formatTimesIn(check.message, zone)} <CheckLink check={check} />
            </Text>
            {check.at !== null && (
              <Text size="xs" c="dimmed" component="div">
                <TimeAgo time={check.at} />
              </Text>
            )}
          </MarkedItem>
        ))}
      </List>
    </Paper>
  );
}

/** The mark of a check. A message that waits is neither fine nor stopped. */
function lookOf(check: Check) {
  if (check.ok && isWaiting(check)) return { icon: ClockIcon, color: "blue", label: "Waits" };
  return check.ok
    ? { icon: CheckIcon, color: "green", label: "Fine" }
    : { icon: XIcon, color: "red", label: "Stops it" };
}

/** Leads to the message that a check is about, or to the page that settles what stops it. */
function CheckLink({ check }: { check: Check }) {
  const { id: workspaceId } = useWorkspace();
  const { customer_id = "", campaign_id } = useFilters().filters;
  const { data: customer } = useApiItem("GET /customers/{id}", { params: { id: customer_id } });
  const step = check.send_id !== null
    ? { label: "Open the email", path: `/sends/${check.send_id}` }
    : check.ok
    ? null
    : findStepOfCheck(check, {
      customer: { id: customer_id, email: customer?.email ?? null },
      campaign_id,
    });
  return step && (
    <Anchor
      {...linkTo(`/w/${workspaceId}${step.path}`, step.search)}
      inherit
      style={{ whiteSpace: "nowrap" }}
    >
      {step.label}
    </Anchor>
  );
}
