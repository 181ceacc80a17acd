import { Alert, Anchor, List, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { CheckIcon, QuestionIcon, XIcon } from "@primer/octicons-react";
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
import { CustomerFilter } from "../events/customer_filter.tsx";

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
            Then choose a campaign or a journey, or leave both empty to see all messages.
          </EmptyState>
        </Paper>
      )}
    </Page>
  );
}

function Answer({ customerId }: { customerId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { campaign_id, journey_id } = useFilters().filters;
  const zone = useZone();
  const explanation = useApiItem("GET /sends/explain", {
    query: { customer_id: customerId, campaign_id, journey_id },
  });
  return (
    <ItemView item={explanation} skeleton={<Skeleton h={180} />}>
      {({ answer, checks }) => (
        <Stack>
          <Alert color={checks.every(({ ok }) => ok) ? "green" : "yellow"} title={answer} />
          <Paper p="md">
            <List spacing="sm" listStyleType="none" center={false}>
              {checks.map(({ subject, ok, message, at, send_id }, index) => (
                <MarkedItem
                  key={subject + String(index)}
                  icon={ok ? CheckIcon : XIcon}
                  color={ok ? "green" : "red"}
                  label={ok ? "Fine" : "Stops it"}
                >
                  <Text size="sm" className="break-anywhere">
                    {formatTimesIn(message, zone)} {send_id !== null && (
                      <Anchor
                        {...linkTo(`/w/${workspaceId}/sends/${send_id}`)}
                        inherit
                        style={{ whiteSpace: "nowrap" }}
                      >
                        Show it
                      </Anchor>
                    )}
                  </Text>
                  {at !== null && (
                    <Text size="xs" c="dimmed" component="div">
                      <TimeAgo time={at} />
                    </Text>
                  )}
                </MarkedItem>
              ))}
            </List>
          </Paper>
        </Stack>
      )}
    </ItemView>
  );
}
