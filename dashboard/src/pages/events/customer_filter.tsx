import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Customer } from "../../api/types.ts";
import { listRows, useApiItem, useApiList } from "../../api/use_api.ts";
import { customerName } from "../../api/customer_name.ts";
import { Select } from "../../ui/overlays.tsx";

const delayMs = 250;
const shownCount = 20;

interface CustomerFilterProps {
  /** ID of a customer. */
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
}

/** Filters by a customer, found by ID, email address or name. */
export function CustomerFilter({ value, onChange }: CustomerFilterProps) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), delayMs);
  const chosen = useApiItem("GET /customers/{id}", { params: { id: value ?? "" } }, {
    enabled: value !== undefined,
  }).data;
  // The field holds the name of the chosen customer, which is not a search.
  const isTyped = q !== "" && (chosen === undefined || q !== customerName(chosen));
  const found = useApiList("GET /customers", {
    query: { limit: shownCount, ...isTyped ? { q } : {} },
  });
  // Results of an earlier search must not be chosen while new ones load.
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
      nothingFoundMessage={isCurrent && !found.isFetching ? "No customers found" : "Searching…"}
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
