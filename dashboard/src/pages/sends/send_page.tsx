import {
  Alert,
  Anchor,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Timeline,
  Title,
} from "@mantine/core";
import { AlertIcon, CheckIcon, XIcon } from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import type { Send } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatDuration } from "../../format/time.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { ExactTime, TimeAgo } from "../../ui/time_ago.tsx";
import { explainReason } from "./describe_send.ts";
import { SendBadge } from "./send_badge.tsx";

const refreshMs = 5_000;
const unfinished: readonly string[] = ["queued", "sending"];
const handedOver: readonly string[] = ["sending", "sent", "unknown"];

export function SendPage() {
  const { sendId } = useParams({ from: "/w/$workspaceId/sends/$sendId" });
  const send = useApiItem("GET /sends/{id}", { params: { id: sendId } }, {
    refetchInterval: (data) => data && !unfinished.includes(data.state) ? false : refreshMs,
  });
  return <ItemView item={send}>{(data) => <Details send={data} />}</ItemView>;
}

function Details({ send }: { send: Send }) {
  const title = send.subject ?? send.template_name ?? "Message";
  return (
    <Page
      title={title}
      above={<BackLink path="/sends">Sent</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{title}</bdi>
          <SendBadge send={send} />
        </Group>
      }
      description={<Recipient send={send} />}
    >
      {send.reason !== null && (
        <Alert color="yellow" icon={<AlertIcon />} title={explainReason(send.reason)} mb="lg">
          <Anchor {...useExplainLink(send)} size="sm">See everything that was checked</Anchor>
        </Alert>
      )}
      {isHandedOver(send) || send.subject !== null
        ? (
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
            <Stack style={{ gridColumn: "span 2" }} className="wide-cell" gap="lg">
              <Rendered send={send} />
            </Stack>
            <Facts send={send} />
          </SimpleGrid>
        )
        : <Facts send={send} />}
    </Page>
  );
}

/** Returns whether a provider got the message, or may have got it. */
function isHandedOver({ state, attempts }: Send): boolean {
  return attempts.length > 0 || handedOver.includes(state);
}

function Facts({ send }: { send: Send }) {
  return (
    <Stack>
      <Paper p="md">
        <FieldList fields={useFields(send)} />
      </Paper>
      {isHandedOver(send) && (
        <Paper p="md">
          <Title order={2} size="h5" mb="md">Attempts</Title>
          <Attempts send={send} />
        </Paper>
      )}
    </Stack>
  );
}

/** The name and the address of the customer. */
function Recipient({ send: { customer_name, email } }: { send: Send }) {
  if (email === null) {
    return (
      <>
        To <bdi>{customer_name ?? "a customer"}</bdi>, who has no address
      </>
    );
  }
  return (
    <>
      To {customer_name !== null && customer_name !== email && (
        <>
          <bdi>{customer_name}</bdi> ·{" "}
        </>
      )}
      <bdi>{email}</bdi>
    </>
  );
}

function useExplainLink({ customer_id, campaign_id, journey_id }: Send) {
  const { id } = useWorkspace();
  return linkTo(`/w/${id}/sends/explain`, {
    customer_id: customer_id ?? undefined,
    campaign_id: campaign_id ?? undefined,
    journey_id: journey_id ?? undefined,
  });
}

/** The message as it was rendered, from the version and the facts of that moment. */
function Rendered({ send }: { send: Send }) {
  if (send.subject === null) {
    return (
      <Paper p="md">
        <Text size="sm" c="dimmed">
          Nothing was rendered{send.template === null ? ", because the template was deleted" : ""}.
        </Text>
      </Paper>
    );
  }
  return (
    <Paper p="md">
      <Tabs defaultValue={send.html === null ? "text" : "html"} keepMounted={false}>
        <Tabs.List mb="md">
          {send.html !== null && <Tabs.Tab value="html">HTML</Tabs.Tab>}
          <Tabs.Tab value="text">Text</Tabs.Tab>
          {send.html !== null && <Tabs.Tab value="source">Source</Tabs.Tab>}
        </Tabs.List>
        {send.html !== null && (
          <>
            <Tabs.Panel value="html">
              <MailFrame html={send.html} title="The message" />
            </Tabs.Panel>
            <Tabs.Panel value="source">
              <CodeView code={send.html} language="json" label="Source" />
            </Tabs.Panel>
          </>
        )}
        <Tabs.Panel value="text">
          <Text component="pre" size="sm" className="mail-text">{send.text ?? ""}</Text>
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}

/** Facts of a message. Those that it cannot have are left out. */
function useFields(send: Send): Field[] {
  const workspace = useWorkspace();
  return [
    ["Queued", <ExactTime key="queued" time={send.queued_at} />],
    ...isHandedOver(send) ? listOutcomes(send) : [],
    ...listOrigins(send, `/w/${workspace.id}`),
    ["Kind", send.topic === null ? "Transactional" : "Marketing"],
    ["Send ID", <IdText key="id" value={send.id} label="send ID" />],
    ...isHandedOver(send) ? listIds(send) : [],
  ];
}

/** Facts from after the message was handed to the provider. */
function listOutcomes(send: Send): Field[] {
  const time = (at: string | null) => at === null ? null : <TimeAgo key={at} time={at} />;
  return [
    ["Sent", time(send.sent_at)],
    [
      "Feedback",
      send.feedback === null ? null : (
        <>
          {send.feedback.replace("_", " ")}
          {send.feedback_reason && <Text size="xs" c="dimmed">{send.feedback_reason}</Text>}
        </>
      ),
    ],
    ["Opened", time(send.opened_at)],
    ["Clicked", time(send.clicked_at)],
    ["Unsubscribed", time(send.unsubscribed_at)],
  ];
}

function listIds(send: Send): Field[] {
  return [["Message-ID", send.message_id], ["Provider’s ID", send.provider_id]];
}

/** The customer and everything that the message was made of. */
function listOrigins(send: Send, workspace: string): Field[] {
  const link = (path: string, label: string) => (
    <Anchor key={path} {...linkTo(`${workspace}/${path}`)} size="sm">
      <bdi>{label}</bdi>
    </Anchor>
  );
  const { campaign_id, journey_id } = send;
  return [
    [
      "Customer",
      send.customer_id && link(`customers/${send.customer_id}`, send.customer_name ?? "Customer"),
    ],
    ...campaign_id === null ? [] : [
      ["Campaign", link(`campaigns/${campaign_id}`, send.campaign_name ?? "Deleted campaign")],
    ] satisfies Field[],
    ...journey_id === null ? [] : [
      ["Journey", link(`journeys/${journey_id}`, send.journey_name ?? "Deleted journey")],
    ] satisfies Field[],
    [
      "Template",
      send.template && link(
        `templates/${send.template.id}`,
        [
          send.template_name ?? "Deleted template",
          send.template.version !== null && `version ${send.template.version}`,
        ].filter(Boolean).join(", "),
      ),
    ],
    ["Sender", link(`senders/${send.sender}`, send.sender_name ?? "Deleted sender")],
  ];
}

const attemptLabels: Readonly<Record<string, string>> = {
  sent: "Accepted by the provider",
  retry: "Failed for now",
  failed: "Failed",
  unknown: "Outcome unknown",
};

function Attempts({ send: { attempts } }: { send: Send }) {
  if (attempts.length === 0) {
    return <Text size="sm" c="dimmed">The message was not handed to the provider.</Text>;
  }
  return (
    <Timeline bulletSize={24} lineWidth={2} active={attempts.length}>
      {attempts.map(({ at, outcome, reason, status_code, response, duration_ms }, index) => (
        <Timeline.Item
          key={index}
          color={outcome === "sent" ? "green" : "red"}
          bullet={outcome === "sent" ? <CheckIcon size={12} /> : <XIcon size={12} />}
          title={[attemptLabels[outcome ?? ""] ?? outcome, status_code, reason].filter(Boolean)
            .join(" · ")}
        >
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo time={at} />
            {typeof duration_ms === "number" && ` · ${formatDuration(duration_ms)}`}
          </Text>
          {response && <Text size="xs" ff="monospace" className="break-anywhere">{response}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
