import {
  Alert,
  Anchor,
  Badge,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Title,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  AlertIcon,
  InfoIcon,
  PaperAirplaneIcon,
  PencilIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import type { Sender } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { formatWhole } from "../../format/numbers.ts";
import { ActionsMenu, EnableButton } from "../../ui/actions_menu.tsx";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { showError } from "../../ui/show_error.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { UsedBy } from "../../ui/used_by.tsx";
import { useOpener } from "../../ui/use_opener.ts";
import { describeConfig, providers } from "./provider_fields.ts";
import { SenderDnsCheck } from "./sender_dns.tsx";
import { describeNextStep } from "./describe_next_step.ts";
import { SenderHealth } from "./sender_health.tsx";
import { Rate } from "./rate.tsx";
import { SenderStats } from "./sender_stats.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { useReturn } from "../../ui/use_list_before.ts";

const SenderModal = lateDialog(async () => (await import("./sender_modal.tsx")).SenderModal);
const TestSenderModal = lateDialog(async () =>
  (await import("./test_sender_modal.tsx")).TestSenderModal
);

const refreshMs = 5_000;

export function SenderPage() {
  const { senderId } = useParams({ from: "/w/$workspaceId/senders/$senderId" });
  const sender = useApiItem("GET /senders/{id}", { params: { id: senderId } }, {
    refetchInterval: refreshMs,
  });
  return <ItemView item={sender}>{(data) => <Details sender={data} />}</ItemView>;
}

function Details({ sender }: { sender: Sender }) {
  const isUsed = sender.health.state !== "unused";
  const hasMore = isUsed || sender.provider !== "inbox";
  const mayEdit = useMay("admin");
  const [isTesting, test] = useDraftDialog(`sender-test:${sender.id}`);
  return (
    <Page
      title={sender.name}
      above={<BackLink path="/senders">Senders</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{sender.name}</bdi>
          <Badge color="gray">{providers[sender.provider].label}</Badge>
          <SenderHealth sender={sender} />
        </Group>
      }
      description={<Origin sender={sender} />}
      actions={mayEdit && <SenderActions sender={sender} test={test.open} />}
    >
      <Stack gap="lg">
        <Notice sender={sender} test={mayEdit ? test.open : undefined} />
        <Figures sender={sender} />
        {hasMore
          ? (
            <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
              <Stack style={{ gridColumn: "span 2" }} className="wide-cell" gap="lg">
                {isUsed && <SenderStats senderId={sender.id} />}
                {sender.provider !== "inbox" && <SenderDnsCheck sender={sender} />}
              </Stack>
              <Settings sender={sender} />
            </SimpleGrid>
          )
          : <Settings sender={sender} />}
      </Stack>
      {isTesting && <TestSenderModal sender={sender} isOpen close={test.close} />}
    </Page>
  );
}

/** The address, and where to read what was sent. */
function Origin({ sender: { from, provider } }: { sender: Sender }) {
  return (
    <>
      {from}
      {provider === "inbox" && (
        <>
          {" · "}
          <Anchor href="/inbox" target="_blank" rel="noreferrer" inherit>Open the inbox</Anchor>
        </>
      )}
    </>
  );
}

function Settings({ sender }: { sender: Sender }) {
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Settings</Title>
      <FieldList fields={listSettings(sender)} />
    </Paper>
  );
}

/** Titles of what is said about each state. */
const notices: Partial<Record<Sender["health"]["state"], { title: string; color: string }>> = {
  failing: { title: "The newest emails failed", color: "red" },
  disabled: { title: "This sender is disabled", color: "orange" },
  unused: { title: "Test this sender", color: "blue" },
};

/**
 * The reason why a sender does not send, or sends slowly, and the next step.
 *
 * @param test sends a test email; undefined for users who may only read
 */
function Notice({ sender, test }: { sender: Sender; test: (() => void) | undefined }) {
  const text = describeNextStep(sender);
  if (text === null) return null;
  const notice = notices[sender.health.state] ?? { title: "Emails wait", color: "yellow" };
  return (
    <Alert {...notice} icon={notice.color === "blue" ? <InfoIcon /> : <AlertIcon />}>
      {text}
      {sender.health.state === "unused" && test && (
        <Button size="compact-sm" mt="xs" display="block" onClick={test}>Send a test email</Button>
      )}
    </Alert>
  );
}

/** Counts of waiting and sent messages, each with the messages behind it. */
function Figures({ sender }: { sender: Sender }) {
  const { id: workspaceId } = useWorkspace();
  const { health, rate_allowed, rate_reached, limited_by } = sender;
  const link = (search: { state?: string; engagement?: string; range?: string }) => ({
    to: `/w/${workspaceId}/sends`,
    search: { sender_id: sender.id, ...search },
  });
  return (
    <StatGrid>
      <Stat
        label="Waiting"
        value={formatWhole(health.pending)}
        note={waits[limited_by ?? ""]}
        {...link({ state: "queued" })}
      />
      <Stat
        label="Sent in 24 hours"
        value={formatWhole(health.ok_24h)}
        note={health.last_success_at && <Last time={health.last_success_at} />}
        {...link({ state: "sent", range: "24h" })}
      />
      <Stat
        label="Failed attempts"
        value={formatWhole(health.failed_24h)}
        note={
          <>
            in 24 hours
            {health.last_failure_at && (
              <>
                , <Last time={health.last_failure_at} />
              </>
            )}
          </>
        }
        {...link({ state: "failed", range: "24h" })}
      />
      <Stat
        label="Bounce rate"
        value={<Rate kind="bounce" percent={health.bounce_rate_24h} />}
        note="in 24 hours"
        {...link({ engagement: "bounced", range: "24h" })}
      />
      <Stat
        label="Complaint rate"
        value={<Rate kind="complaint" percent={health.complaint_rate_24h} />}
        note="in 24 hours"
        {...link({ engagement: "complained", range: "24h" })}
      />
      <Stat
        label="Emails per second"
        value={formatWhole(Number(rate_reached.toFixed(1)))}
        note={rate_allowed === null ? "now" : `now, at most ${formatWhole(rate_allowed)}`}
      />
    </StatGrid>
  );
}

/** Reasons for which messages wait although nothing is wrong. */
const waits: Record<string, string> = { dispatch: "due now", schedule: "all due later" };

function Last({ time }: { time: string }) {
  return (
    <>
      last <TimeAgo time={time} />
    </>
  );
}

function listSettings(sender: Sender): Field[] {
  return [
    ...describeConfig(sender.provider, sender.config),
    ["Reply to", sender.reply_to],
    ["If the outcome is unknown", sender.on_unknown === "repeat" ? "Sent again" : "Not sent again"],
    [
      "In use by",
      sender.used_by.length > 0 ? <UsedBy key="uses" uses={sender.used_by} /> : "Not in use",
    ],
    ["Key", sender.key],
    ["Updated", <TimeAgo key="updated" time={sender.updated_at} />],
    ["Sender ID", <IdText key="id" value={sender.id} label="sender ID" />],
  ].map(([label, value]) => [label, value || null] as Field);
}

function SenderActions({ sender, test }: { sender: Sender; test: () => void }) {
  const goBack = useReturn("/senders");
  const { opener, giveBack } = useOpener();
  const [isEditing, edit] = useDraftDialog(`sender:${sender.id}`, { onClose: giveBack });
  const [isDeleting, remove] = useDisclosure(false, { onClose: giveBack });
  const params = { id: sender.id };
  const toggle = useApiAction(
    "PATCH /senders/{id}",
    () => ({ params, body: { enabled: !sender.enabled } }),
    { onError: showError },
  );
  const deletion = useApiAction("DELETE /senders/{id}", () => ({ params }), {
    onSuccess: goBack,
  });
  return (
    <>
      <Button
        // The notice of a sender that was never used has the main button.
        variant={sender.health.state === "unused" ? "default" : "filled"}
        leftSection={<PaperAirplaneIcon />}
        onClick={test}
      >
        Send test email
      </Button>
      <EnableButton
        enabled={sender.enabled}
        isPending={toggle.isPending}
        toggle={() => toggle.mutate()}
      />
      <ActionsMenu opener={opener}>
        <Menu.Item leftSection={<PencilIcon />} onClick={edit.open}>Edit</Menu.Item>
        <Menu.Item className="danger-item" leftSection={<TrashIcon />} onClick={remove.open}>
          Delete
        </Menu.Item>
      </ActionsMenu>
      {isEditing && <SenderModal sender={sender} isOpen close={edit.close} />}
      <DeleteModal
        isOpen={isDeleting}
        close={remove.close}
        noun="sender"
        name={sender.name}
        action={deletion}
      >
        Emails that wait at <bdi>{sender.name}</bdi> are skipped. The log stays.
      </DeleteModal>
    </>
  );
}
