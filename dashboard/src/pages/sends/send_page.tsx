import { Alert, Anchor, Group, Paper, SimpleGrid, Stack, Tabs, Text, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import type { Send } from "../../api/types.ts";
import { listRows, useApiItem, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { MailFrame } from "../../ui/mail_frame.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { ExactTime } from "../../ui/time_ago.tsx";
import { describeSend, explainReason, explainSuppression } from "./describe_send.ts";
import { findNextStep } from "./find_next_step.ts";
import { PurposeBadge, SendBadge } from "./send_badge.tsx";
import { SendHistory } from "./send_history.tsx";
import { SendLinks } from "./send_links.tsx";
import { readUnsent, UnsentMail } from "./unsent_mail.tsx";
import { WaitNotice } from "./wait_notice.tsx";

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
  const unsent = readUnsent(send);
  const { title, heading } = nameSend(send);
  return (
    <Page
      title={title}
      above={<BackLink path="/sends">Sends</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{heading}</bdi>
          {heading === title ? <SendBadge send={send} /> : <PurposeBadge send={send} />}
        </Group>
      }
      description={
        <>
          {heading !== title && send.template_name !== null && (
            <>
              <bdi>{send.template_name}</bdi> ·{" "}
            </>
          )}
          <Recipient send={send} />
        </>
      }
    >
      {send.state === "queued"
        ? <WaitNotice send={send} />
        : send.reason !== null && <Reason send={send} />}
      {isHandedOver(send) || send.subject !== null || unsent
        ? (
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
            <Stack style={{ gridColumn: "span 2" }} className="wide-cell" gap="lg">
              {unsent ? <UnsentMail {...unsent} /> : <Rendered send={send} />}
            </Stack>
            <Facts send={send} />
          </SimpleGrid>
        )
        : <Facts send={send} />}
    </Page>
  );
}

/**
 * Names a message by its subject. One that was never rendered has none: the heading says what became
 * of it, and the title of the page adds its template.
 */
function nameSend(send: Send): { title: string; heading: string } {
  const { subject, template_name, state } = send;
  const isOver = state === "skipped" || state === "failed";
  if (subject !== null || !isOver) {
    const title = subject ?? template_name ?? "Email";
    return { title, heading: title };
  }
  const heading = `Email ${describeSend(send).label.toLowerCase()}`;
  return { title: `${heading}: ${template_name ?? "deleted template"}`, heading };
}

/** Returns whether the message is made for a customer from a template: a mail of the service is not. */
function isFromTemplate({ purpose }: Send): boolean {
  return purpose === "message" || purpose === "test";
}

/** Returns whether a provider got the message, or may have got it. */
function isHandedOver({ state, attempts }: Send): boolean {
  return attempts.length > 0 || handedOver.includes(state);
}

/** The reason why a message was not sent, and the next step. */
function Reason({ send }: { send: Send }) {
  const step = findNextStep(send);
  return (
    <Alert
      color={send.state === "failed" ? "red" : "yellow"}
      icon={<AlertIcon />}
      title={useExactReason(send)}
      mb="lg"
    >
      <SendLinks send={send} step={step} />
    </Alert>
  );
}

/** Explains the reason of a message; a send says only that its address is suppressed. */
function useExactReason({ reason, email, state }: Send): string {
  const isSuppressed = reason === "suppressed" && email !== null;
  const found = useApiList("GET /suppressions", { query: { email: email ?? undefined } }, {
    enabled: isSuppressed,
  });
  if (!isSuppressed || !found.isSuccess) return explainReason(reason ?? "", state);
  return explainSuppression(listRows(found)[0]?.reason ?? null);
}

/** The history of a message, then the parts that it was made of. */
function Facts({ send }: { send: Send }) {
  return (
    <Stack>
      {(isHandedOver(send) || send.state === "queued") && (
        <Paper p="md">
          <Title order={2} size="h5" mb="md">History</Title>
          <SendHistory send={send} />
        </Paper>
      )}
      <Paper p="md">
        <Title order={2} size="h5" mb="sm">Details</Title>
        <FieldList fields={useFields(send)} />
      </Paper>
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

/** The message as it was rendered, from the version and the facts of that moment. */
function Rendered({ send }: { send: Send }) {
  if (send.subject === null) {
    return (
      <Paper p="md">
        <Text size="sm" c="dimmed">
          Nothing was rendered{send.template === null && isFromTemplate(send)
            ? ", because the template was deleted"
            : ""}.
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
              <MailFrame html={send.html} title="The email" />
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

/** Kinds of mails that are not messages to customers. */
const kinds: Readonly<Partial<Record<Send["purpose"], string>>> = {
  test: "Test, to an address that a member chose",
  alert: "Notice of an alert",
  invitation: "Invitation to this workspace",
};

/** Facts of a message. Those that it cannot have are left out. */
function useFields(send: Send): Field[] {
  const workspace = useWorkspace();
  return [
    ...listOrigins(send, `/w/${workspace.id}`),
    ["Kind", kinds[send.purpose] ?? (send.topic === null ? "Transactional" : "Marketing")],
    ["Queued", <ExactTime key="queued" time={send.queued_at} />],
    ...listIds(send),
  ];
}

/** The IDs that support of a provider asks for. */
function listIds({ id, message_id, provider_id }: Send): Field[] {
  const ids = [
    ["Send ID", id, "send ID"],
    ["Message-ID", message_id, "message ID"],
    ["Provider’s ID", provider_id, "provider’s ID"],
  ] as const;
  return ids.flatMap(([label, value, noun]) =>
    value === null
      ? []
      : [[label, <IdText key={label} value={value} label={noun} />] satisfies Field]
  );
}

/** The customer and everything that the message was made of. */
function listOrigins(send: Send, workspace: string): Field[] {
  const link = (path: string, label: string) => (
    <Anchor key={path} {...linkTo(`${workspace}/${path}`)} size="sm">
      <bdi>{label}</bdi>
    </Anchor>
  );
  const { campaign_id, journey_id } = send;
  const hasTemplate = isFromTemplate(send);
  return [
    ...hasTemplate
      ? [
        [
          "Customer",
          send.customer_id &&
          link(`customers/${send.customer_id}`, send.customer_name ?? "Customer"),
        ],
      ] satisfies Field[]
      : [],
    ...campaign_id === null ? [] : [
      ["Campaign", link(`campaigns/${campaign_id}`, send.campaign_name ?? "Deleted campaign")],
    ] satisfies Field[],
    ...journey_id === null ? [] : [
      ["Journey", link(`journeys/${journey_id}`, send.journey_name ?? "Deleted journey")],
    ] satisfies Field[],
    ...hasTemplate
      ? [
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
      ] satisfies Field[]
      : [],
    ["Sender", link(`senders/${send.sender}`, send.sender_name ?? "Deleted sender")],
  ];
}
