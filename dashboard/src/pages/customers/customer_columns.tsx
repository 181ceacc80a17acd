import { Avatar, Badge, Group, Text } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import type { Column } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { customerName } from "../../api/customer_name.ts";

export const customerColumns: Column<Customer>[] = [
  {
    label: "Customer",
    cell: (customer) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar name={customerName(customer)} size={32} color="initials" alt="" aria-hidden />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={550} className="break-anywhere" lineClamp={1} dir="auto">
            {customerName(customer)}
          </Text>
          <Text size="xs" c="dimmed" className="break-anywhere" lineClamp={1}>
            {customer.email === customerName(customer) ? "" : customer.email ?? "No email"}
          </Text>
        </div>
      </Group>
    ),
  },
  {
    label: "External ID",
    visibleFrom: "sm",
    cell: ({ external_id }) =>
      external_id === null
        ? <Badge color="gray">Anonymous</Badge>
        : <Text size="xs" ff="monospace" className="break-anywhere">{external_id}</Text>,
  },
  { label: "Country", visibleFrom: "md", cell: ({ country }) => country ?? "–" },
  { label: "Created", visibleFrom: "md", cell: (row) => <TimeAgo time={row.created_at} /> },
  { label: "Last seen", align: "right", cell: (row) => <TimeAgo time={row.last_seen_at} /> },
];
