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
  /** Filters of the list, for all of it. */
  query: NonNullable<ApiInput<"GET /customers">["query"]>;
  /** Number of customers in the whole list; undefined if there are more than are counted. */
  matching: number | undefined;
  /** True for the customers of a search or a filter. */
  isNarrowed: boolean;
}

/** Actions on the chosen customers, or on all of the list. */
export function BulkBar({ selected, clear, query, matching, isNarrowed }: BulkBarProps) {
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
            Select all {countOf(matching, "customer")}
            {isNarrowed && " that match"}
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
