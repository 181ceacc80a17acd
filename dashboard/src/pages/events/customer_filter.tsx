import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Customer } from "../../api/types.ts";
import { listRows, useApiItem, useApiList } from "../../api/use_api.ts";
import { customerName } from "../../api/customer_name.ts";

const DELAY_MS = 250;
const SHOWN = 20;

interface CustomerFilterProps {
  /** A customer's id. */
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
}

/** A customer to filter by, found by id, e-mail address or name. */
export function CustomerFilter({ value, onChange }: CustomerFilterProps) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), DELAY_MS);
  const chosen = useApiItem("GET /customers/{id}", { params: { id: value ?? "" } }, {
    enabled: value !== undefined,
  }).data;
  // The field shows the name of the chosen one, which nobody has asked for.
  const isTyped = q !== "" && (chosen === undefined || q !== customerName(chosen));
  const found = useApiList("GET /customers", {
    query: { limit: SHOWN, ...isTyped ? { q } : {} },
  });
  // Rows of what was typed before must not be chosen in place of those that are on their way.
  const isCurrent = search.trim() === q && !found.isPlaceholderData;
  const options = isCurrent ? withChosen(listRows(found), value ? chosen : undefined) : [];
  return (
    <Select
      aria-label="Customer"
      placeholder="Any customer"
      data={options.map((customer) => ({ value: customer.id, label: customerName(customer) }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Option customer={options.find(({ id }) => id === option.value)} />
      )}
      nothingFoundMessage={isCurrent && !found.isFetching ? "Nobody found" : "Searching …"}
      comboboxProps={{ width: 280, position: "bottom-start" }}
      searchable
      clearable
    />
  );
}

function withChosen(customers: Customer[], chosen: Customer | undefined): Customer[] {
  if (!chosen || customers.some(({ id }) => id === chosen.id)) return customers;
  return [chosen, ...customers];
}

function Option({ customer }: { customer: Customer | undefined }) {
  if (!customer) return null;
  return (
    <div className="break-anywhere">
      <Text size="sm">{customerName(customer)}</Text>
      <Text size="xs" c="dimmed">
        {[customer.email, customer.external_id ?? customer.anon_ids[0]].filter(Boolean).join(" · ")}
      </Text>
    </div>
  );
}
