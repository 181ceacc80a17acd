import { Anchor, Group, Loader, Text, Title } from "@mantine/core";
import { customerName } from "../api/customer_name.ts";
import { useWorkspace } from "../api/workspace.ts";
import { countOf } from "../format/numbers.ts";
import { ErrorState } from "../ui/error_state.tsx";
import { linkTo } from "../ui/link_to.ts";
import { TimeAgo } from "../ui/time_ago.tsx";
import type { PreviewData, Subject } from "./use_preview.ts";

interface ConditionPreviewProps {
  subject: Subject;
  preview: { data: PreviewData | undefined; isOld: boolean; isFetching: boolean };
  error: Error | null;
  /** Shown instead of a count while the condition cannot be counted. */
  notice: string | undefined;
}

const noticeLook = { fz: "sm", fw: 400, c: "dimmed" };

/** The number of customers or events that fulfil a condition, and ten of them. */
export function ConditionPreview({ subject, preview, error, notice }: ConditionPreviewProps) {
  const { data, isOld, isFetching } = preview;
  const isWorking = isFetching || isOld;
  return (
    <section aria-label="Preview" className="condition-preview">
      <Group gap="xs" mb="xs" mih={28}>
        <div role="status">
          <Title order={2} {...notice ? noticeLook : { size: "h5" }}>
            {notice ?? (data ? describeCount(data, subject) : "Counting…")}
          </Title>
        </div>
        {!notice && isWorking && <Loader size={16} role="progressbar" aria-label="Counting" />}
      </Group>
      {error && !notice && <ErrorState error={error} />}
      {!notice && !error && data && <Examples data={data} />}
    </section>
  );
}

function describeCount({ count, isExact }: PreviewData, subject: Subject): string {
  const noun = subject === "customers" ? "customer" : "event";
  return `${isExact ? "" : "About "}${countOf(count, noun)}`;
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
          <Text size="xs" c="dimmed" className="break-anywhere">
            {customer.email ?? customer.external_id ?? "Anonymous"}
          </Text>
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
