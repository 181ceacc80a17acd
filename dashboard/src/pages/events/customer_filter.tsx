import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Customer } from "../../api/types.ts";
import { isMissing } from "../../api/api_client.ts";
import { listRows, useApiItem, useApiList } from "../../api/use_api.ts";
import { customerName } from "../../api/customer_name.ts";
import { Select } from "../../ui/overlays.tsx";

const delayMs = 250;
const shownCount = 20;

interface CustomerFilterProps {
  /** ID of a customer. */
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
  placeholder?: string;
}

/** Chooses a customer, found by ID, email address or name. */
export function CustomerFilter(
  { value, onChange, placeholder = "Choose a customer" }: CustomerFilterProps,
) {
  const [search, setSearch] = useState("");
  const [q] = useDebouncedValue(search.trim(), delayMs);
  const { data: chosen, error } = useApiItem(
    "GET /customers/{id}",
    { params: { id: value ?? "" } },
    {
      enabled: value !== undefined,
    },
  );
  const unknown = value !== undefined && isMissing(error)
    ? [{ value, label: "Unknown customer" }]
    : [];
  // The field holds the name of the chosen customer, which is not a search.
  const shown = unknown[0]?.label ?? (chosen && customerName(chosen));
  const isTyped = q !== "" && q !== shown;
  const found = useApiList("GET /customers", {
    query: { limit: shownCount, ...isTyped ? { q } : {} },
  });
  // Results of an earlier search must not be chosen while new ones load.
  const isCurrent = search.trim() === q && !found.isPlaceholderData;
  const rows = isCurrent ? listRows(found) : [];
  const options = isTyped || value === undefined ? rows : withChosen(rows, chosen);
  return (
    <Select
      aria-label="Customer"
      placeholder={placeholder}
      data={[
        ...unknown,
        ...options.map((customer) => ({ value: customer.id, label: customerName(customer) })),
      ]}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      // Enter takes the first one, once the results are there.
      selectFirstOptionOnChange={isCurrent}
      renderOption={({ option }) => (
        <Option
          customer={options.find(({ id }) => id === option.value)}
          fallback={option.label}
        />
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

function Option({ customer, fallback }: { customer: Customer | undefined; fallback: string }) {
  if (!customer) return <Text size="sm">{fallback}</Text>;
  return (
    <div className="break-anywhere">
      <Text size="sm">{customerName(customer)}</Text>
      <Text size="xs" c="dimmed">
        {[customer.email, customer.external_id ?? customer.anon_ids[0]].filter(Boolean).join(" · ")}
      </Text>
    </div>
  );
}
