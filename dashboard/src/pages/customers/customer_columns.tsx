import { Badge, Group, Text } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import type { Column } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { customerName } from "../../api/customer_name.ts";
import { FilterValue } from "../../conditions/filter_value.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { countryOf } from "./country_of.ts";
import { CustomerAvatar } from "./customer_avatar.tsx";

export const customerColumns: Column<Customer>[] = [
  {
    label: "Customer",
    cell: (customer) => (
      <Group gap="sm" wrap="nowrap">
        <CustomerAvatar customer={customer} size={32} visibleFrom="xs" />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={550} className="break-anywhere" lineClamp={1} dir="auto">
            {customerName(customer)}
          </Text>
          <Text size="xs" c="dimmed" className="break-anywhere" lineClamp={1}>
            {describeContact(customer)}
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
  {
    label: "Country",
    visibleFrom: "lg",
    cell: (customer) => {
      const country = countryOf(customer);
      return country === null ? "–" : <FieldValue {...country} />;
    },
  },
  {
    label: "Created",
    align: "right",
    visibleFrom: "md",
    sort: "time",
    cell: (row) => <TimeAgo time={row.created_at} />,
  },
  { label: "Last seen", align: "right", cell: (row) => <TimeAgo time={row.last_seen_at} /> },
];

/** The second line of a customer: the address, unless it already is the first. */
function describeContact(customer: Customer): string {
  const { email, external_id } = customer;
  if (email === null) return "No email";
  if (email !== customerName(customer)) return email;
  return external_id === null ? "Anonymous" : "No name";
}

/** A column of an attribute, by its path. */
export function attributeColumn(path: string): Column<Customer> {
  return {
    label: path,
    cell: ({ attributes }) => (
      <FieldValue
        field={`attributes.${path}`}
        value={path.split(".").reduce<unknown>(
          (inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name],
          attributes,
        )}
      />
    ),
  };
}

/** A value of a profile. A click narrows the list of customers to it. */
function FieldValue({ field, value }: { field: string; value: unknown }) {
  const { filter } = useFilters().filters;
  if (value === null || value === undefined) return <>–</>;
  return (
    <FilterValue list="customers" place={{ field }} value={value} filter={filter}>
      <bdi>{typeof value === "object" ? JSON.stringify(value) : String(value)}</bdi>
    </FilterValue>
  );
}
