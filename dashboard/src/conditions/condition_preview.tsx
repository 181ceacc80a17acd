import { Anchor, Group, Loader, Text, Title } from "@mantine/core";
import { customerName } from "../api/customer_name.ts";
import type { Customer } from "../api/types.ts";
import { useWorkspace } from "../api/workspace.ts";
import { countOf } from "../format/numbers.ts";
import { ErrorState } from "../ui/error_state.tsx";
import { linkTo } from "../ui/link_to.ts";
import { TimeAgo } from "../ui/time_ago.tsx";
import type { PreviewData, Subject } from "./use_preview.ts";

interface ConditionPreviewProps {
  subject: Subject;
  /** Name of the counted events. */
  event?: string | undefined;
  preview: { data: PreviewData | undefined; isOld: boolean; isFetching: boolean };
  error: Error | null;
  /** Shown instead of a count while the condition cannot be counted. */
  notice: string | undefined;
}

const noticeLook = { fz: "sm", fw: 400, c: "dimmed" };

/** The number of customers or events that fulfil a condition, and ten of them. */
export function ConditionPreview(
  { subject, event, preview, error, notice }: ConditionPreviewProps,
) {
  const { data, isOld, isFetching } = preview;
  const isWorking = isFetching || isOld;
  return (
    <section aria-label="Preview" className="condition-preview">
      <Group gap="xs" mb="xs" mih={28}>
        <div role="status">
          <Title order={2} {...notice ? noticeLook : { size: "h5" }}>
            {notice ?? (data ? describeCount(data, subject) : "Counting…")}
          </Title>
          {subject === "events" && !notice && data && <Counted event={event} />}
        </div>
        {!notice && isWorking && <Loader size={16} role="progressbar" aria-label="Counting" />}
      </Group>
      {error && !notice && <ErrorState error={error} />}
      {!notice && !error && data && <Examples data={data} />}
    </section>
  );
}

function describeCount({ count, isExact }: PreviewData, subject: Subject): string {
  if (subject === "customers") return `${isExact ? "" : "About "}${countOf(count, "customer")}`;
  // The api counts from the newest event until its time is over.
  return `${isExact ? "" : "At least "}${countOf(count, "event")}`;
}

/** Says which events are counted: those of all time, even if the page lists fewer. */
function Counted({ event }: { event: string | undefined }) {
  return (
    <Text size="xs" c="dimmed" className="break-anywhere">
      Among all stored events {event
        ? (
          <>
            named <bdi>{event}</bdi>
          </>
        )
        : "of any name"}
    </Text>
  );
}

/** Returns what a customer is called besides the name above it; nothing if that says it all. */
function findSecondName(customer: Customer): string | undefined {
  const { email, external_id } = customer;
  if (email === null && external_id === null) return "Anonymous";
  const first = customerName(customer);
  return [email, external_id].find((name) => name !== null && name !== first) ?? undefined;
}

function Examples({ data }: { data: PreviewData }) {
  const { id } = useWorkspace();
  return (
    <ul className="plain-list condition-examples">
      {data.customers.map((customer) => (
        <li key={customer.id}>
          <Anchor {...linkTo(`/w/${id}/customers/${customer.id}`)} size="sm" target="_blank">
            <bdi>{customerName(customer)}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" className="break-anywhere">{findSecondName(customer)}</Text>
        </li>
      ))}
      {data.events.map((event) => (
        <li key={event.id}>
          <Text size="sm" className="break-anywhere">{event.name ?? event.kind}</Text>
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo time={event.received_at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
