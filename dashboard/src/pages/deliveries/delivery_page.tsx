import { Grid, Group, Paper, Stack, Title } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { DeliveryDetail } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useMay } from "../../api/workspace.ts";
import { DeliveryResponse } from "./delivery_response.tsx";
import { AttemptTimeline } from "./attempt_timeline.tsx";
import { CopyCurl } from "./copy_curl.tsx";
import { DeliveryFacts } from "./delivery_facts.tsx";
import { Neighbours } from "./neighbours.tsx";
import { destinationName, OutcomeBadge } from "./outcome_badge.tsx";
import { DisabledDestination, ReplayButton } from "./replay_button.tsx";
import { ResponseHeaders } from "./response_headers.tsx";
import { SentRequest } from "./sent_request.tsx";
import type { SentMessage } from "./test_event.ts";
import { EditAndResendButton } from "./test_event_button.tsx";
import { useMessage } from "./use_message.ts";

const refreshMs = 5_000;

export function DeliveryPage() {
  const { deliveryId } = useParams({ from: "/w/$workspaceId/deliveries/$deliveryId" });
  const delivery = useApiItem("GET /deliveries/{id}", { params: { id: deliveryId } }, {
    refetchInterval: refreshMs,
  });
  return <ItemView item={delivery}>{(data) => <Details delivery={data} />}</ItemView>;
}

function Details({ delivery }: { delivery: DeliveryDetail }) {
  const mayReplay = useMay("member");
  const destination = useApiItem("GET /destinations/{id}", {
    params: { id: delivery.destination_id },
  }, { enabled: delivery.destination_name !== null }).data;
  const isDisabled = destination?.id === delivery.destination_id && !destination.enabled;
  return (
    <Page
      title={delivery.event_type}
      above={<BackLink path="/deliveries">Deliveries</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{delivery.event_type}</bdi>
          <OutcomeBadge {...delivery} />
        </Group>
      }
      description={
        <>
          To <bdi>{destinationName(delivery)}</bdi>, <TimeAgo time={delivery.attempted_at} />
        </>
      }
      actions={<DeliveryActions delivery={delivery} isDisabled={isDisabled} />}
    >
      {mayReplay && isDisabled && <DisabledDestination destinationId={delivery.destination_id} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Response delivery={delivery} />
            <Paper p="md">
              <Group justify="space-between" mb="sm">
                <Title order={2} size="h5">Request</Title>
                <CopyCurl delivery={delivery} destination={destination} />
              </Group>
              <SentRequest delivery={delivery} destination={destination} />
            </Paper>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <Paper p="md">
              <Title order={2} size="h5" mb="md">Attempts</Title>
              <AttemptTimeline delivery={delivery} />
            </Paper>
            <Paper p="md">
              <Title order={2} size="h5" mb="sm">Details</Title>
              <DeliveryFacts delivery={delivery} />
            </Paper>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

interface DeliveryActionsProps {
  delivery: DeliveryDetail;
  /** True if the destination is disabled, so that nothing is sent to it. */
  isDisabled: boolean;
}

function DeliveryActions({ delivery, isDisabled }: DeliveryActionsProps) {
  const mayReplay = useMay("member");
  const newest = delivery.attempts[0]?.attempted_at ?? delivery.attempted_at;
  return (
    <>
      <Neighbours delivery={delivery} />
      {mayReplay && (
        <>
          <EditAndResendButton
            key={delivery.id}
            message={messageOf(delivery)}
            destination={{ id: delivery.destination_id, name: delivery.destination_name }}
          />
          <ReplayButton delivery={delivery} newest={newest} isDisabled={isDisabled} />
        </>
      )}
    </>
  );
}

function Response({ delivery }: { delivery: DeliveryDetail }) {
  const { state } = useMessage(delivery);
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Response</Title>
      <Stack>
        <DeliveryResponse delivery={delivery} message={state} />
        <ResponseHeaders delivery={delivery} />
      </Stack>
    </Paper>
  );
}

function messageOf({ message_id: id, event_type, message }: DeliveryDetail): SentMessage {
  return { id, event_type, body: message?.body ?? null };
}
