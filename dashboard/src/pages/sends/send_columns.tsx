import { Anchor, Text } from "@mantine/core";
import { Fragment } from "react";
import type { SendSummary } from "../../api/types.ts";
import type { NamedList } from "../../ui/filter_select.tsx";
import { linkTo } from "../../ui/link_to.ts";
import type { Column } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { explainReason } from "./describe_send.ts";
import { SendBadge, SendReason } from "./send_badge.tsx";

/** Everything that names what a message was made of. */
export interface SendNames {
  campaigns: NamedList;
  journeys: NamedList;
  templates: NamedList;
  senders: NamedList;
}

/** The column of what sent the message, which is never both. */
const originLabel = "Campaign or journey";
const origins: readonly string[] = ["Campaign", "Journey"];

/** Labels of the columns that are shown without a choice, and of the others. */
export const usualLabels = ["To", "State", "Template", originLabel, "Queued"];
export const furtherLabels = ["Campaign", "Journey", "Sender"];

/** Makes the columns of the list: the usual ones, and the others. */
export function sendColumns(workspaceId: string, names: SendNames) {
  const named = (list: NamedList, path: string, noun: string) => {
    const found = new Map(list.rows.map(({ id, name }) => [id, name]));
    return (id: string | null | undefined) => {
      if (!id) return <Text size="sm" c="dimmed">–</Text>;
      const to = `/w/${workspaceId}/${path}/${id}`;
      return <Name name={found.get(id)} to={to} missing={list.isRead ? `Deleted ${noun}` : "…"} />;
    };
  };
  const campaign = named(names.campaigns, "campaigns", "campaign");
  const journey = named(names.journeys, "journeys", "journey");
  const template = named(names.templates, "templates", "template");
  const sender = named(names.senders, "senders", "sender");
  const usual: Column<SendSummary>[] = [
    { label: "To", cell: (send) => <Recipient send={send} names={names} /> },
    { label: "State", cell: (send) => <State send={send} /> },
    {
      label: "Template",
      visibleFrom: "sm",
      isWide: true,
      cell: (send) => template(send.template?.id),
    },
    {
      label: originLabel,
      visibleFrom: "md",
      isWide: true,
      cell: ({ campaign_id, journey_id }) =>
        campaign_id === null ? journey(journey_id) : campaign(campaign_id),
    },
    {
      label: "Queued",
      sort: "time",
      align: "right",
      visibleFrom: "sm",
      isWide: true,
      cell: ({ queued_at }) => <TimeAgo time={queued_at} />,
    },
  ];
  const further: Column<SendSummary>[] = [
    { label: "Campaign", isWide: true, cell: (send) => campaign(send.campaign_id) },
    { label: "Journey", isWide: true, cell: (send) => journey(send.journey_id) },
    { label: "Sender", isWide: true, cell: (send) => sender(send.sender) },
  ];
  return { usual, further };
}

interface NameProps {
  name: string | undefined;
  to: string;
  /** Text in the place of an unknown name. */
  missing: string;
}

/** A name that leads to its page. */
function Name({ name, to, missing }: NameProps) {
  if (name === undefined) return <Text size="sm" c="dimmed">{missing}</Text>;
  return (
    <Anchor {...linkTo(to)} size="sm" lineClamp={1} className="break-anywhere">
      <bdi>{name}</bdi>
    </Anchor>
  );
}

interface RecipientProps {
  send: SendSummary;
  names: SendNames;
}

/** The customer of a message. On a phone, two lines follow: the address, and which message it was. */
function Recipient({ send, names }: RecipientProps) {
  const { customer_name, email } = send;
  // The state says it already.
  const address = email ?? (send.reason === "no_address" ? null : "No address");
  const hasAddress = customer_name !== null && customer_name !== email && address !== null;
  return (
    <div style={{ minWidth: "8rem" }}>
      <Text size="sm" fw={550} lineClamp={1} className="break-everywhere" dir="auto">
        {customer_name ?? email ?? "No address"}
      </Text>
      {hasAddress && (
        <Text size="xs" c="dimmed" lineClamp={1} className="break-everywhere">{address}</Text>
      )}
      <Text
        size="xs"
        c="dimmed"
        lineClamp={hasAddress ? 1 : 2}
        className="break-everywhere"
        hiddenFrom="sm"
        // So that all rows have the same height.
        style={{ minHeight: hasAddress ? "1lh" : "2lh" }}
      >
        {useMadeOf(send, names).map((text, index) => (
          <Fragment key={index}>
            {index > 0 && " · "}
            <bdi>{text}</bdi>
          </Fragment>
        ))}
      </Text>
    </div>
  );
}

/**
 * Returns the names in the chosen columns for which a phone has no space: the template's first. The
 * reason of a message that was not sent follows the first name.
 */
function useMadeOf(send: SendSummary, names: SendNames): string[] {
  const { columns } = useFilters().filters;
  const shown = columns?.split(",") ?? usualLabels;
  const nameIn = ({ rows, isRead }: NamedList, id: string | null | undefined, noun: string) =>
    id ? rows.find((row) => row.id === id)?.name ?? (isRead ? `Deleted ${noun}` : "…") : undefined;
  const found = [
    ["Template", nameIn(names.templates, send.template?.id, "template")],
    ["Campaign", nameIn(names.campaigns, send.campaign_id, "campaign")],
    ["Journey", nameIn(names.journeys, send.journey_id, "journey")],
    ["Sender", nameIn(names.senders, send.sender, "sender")],
  ] as const;
  // A campaign often has the name of its template.
  const isShown = (label: string) =>
    shown.includes(label) || origins.includes(label) && shown.includes(originLabel);
  const chosen = [
    ...new Set(found.flatMap(([label, name]) => name && isShown(label) ? [name] : [])),
  ];
  if (send.reason !== null) return [...chosen.slice(0, 1), explainReason(send.reason, send.state)];
  return chosen;
}

function State({ send }: { send: SendSummary }) {
  return (
    <>
      <SendBadge send={send} />
      <SendReason send={send} visibleFrom="sm" />
      <Text size="xs" c="dimmed" component="div" mt={2} hiddenFrom="sm">
        <TimeAgo time={send.queued_at} />
      </Text>
    </>
  );
}
