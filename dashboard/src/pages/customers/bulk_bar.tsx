import { Button, Group, Paper, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import type { ApiInput } from "../../api/api_client.ts";
import { countOf } from "../../format/numbers.ts";
import { lateImport } from "../../ui/late_import.ts";

const AddToSegmentModal = lazy(() => lateImport(() => import("./add_to_segment_modal.tsx")));

interface BulkBarProps {
  /** IDs of the customers that are chosen. */
  selected: ReadonlySet<string>;
  clear: () => void;
  /** Filters of the list, for all that match. */
  query: NonNullable<ApiInput<"GET /customers">["query"]>;
  /** Number of customers that match a filter; undefined without one. */
  matching: number | undefined;
}

/** Actions on the chosen customers, or on all that match the filter. */
export function BulkBar({ selected, clear, query, matching }: BulkBarProps) {
  const [isAll, setAll] = useState(false);
  const [isAdding, { open, close }] = useDisclosure();
  if (selected.size === 0) return null;
  const isOverall = isAll && matching !== undefined;
  const count = isOverall ? matching : selected.size;
  const leave = () => {
    setAll(false);
    clear();
  };
  return (
    <Paper p="xs" mb="sm" className="bulk-bar" role="region" aria-label="Selected customers">
      <Group gap="xs">
        <Text size="sm" fw={550} role="status">{countOf(count, "customer")} selected</Text>
        {matching !== undefined && matching > selected.size && !isOverall && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setAll(true)}
          >
            Select all {countOf(matching, "customer")} that match
          </Button>
        )}
        <Button size="compact-sm" onClick={open}>Add to segment</Button>
        <Button variant="default" size="compact-sm" onClick={leave}>Clear selection</Button>
      </Group>
      <Suspense>
        {isAdding && (
          <AddToSegmentModal
            isOpen
            close={close}
            count={count}
            selected={isOverall ? undefined : [...selected]}
            query={query}
          />
        )}
      </Suspense>
    </Paper>
  );
}
