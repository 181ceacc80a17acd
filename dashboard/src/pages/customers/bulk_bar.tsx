import { Button, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { maxNamedCustomers } from "../../../../supabase/functions/api/contract/segments.ts";
import type { ApiInput } from "../../api/api_client.ts";
import { readAll } from "../../api/read_all.ts";
import { useApi, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";

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
      <AddToSegmentModal
        key={String(isAdding)}
        isOpen={isAdding}
        close={close}
        count={count}
        selected={isOverall ? undefined : [...selected]}
        query={query}
      />
    </Paper>
  );
}

interface AddToSegmentProps extends DialogProps {
  count: number;
  /** Undefined for all that match the query. */
  selected: string[] | undefined;
  query: BulkBarProps["query"];
}

function AddToSegmentModal({ count, selected, query, ...dialog }: AddToSegmentProps) {
  const segments = useWholeList("GET /segments", { query: { kind: "static" } });
  const [segmentId, setSegmentId] = useState<string | null>(null);
  const add = useAddToSegment({ selected, query });
  return (
    <FormModal
      {...dialog}
      title="Add to a segment"
      submitLabel={`Add ${countOf(count, "customer")}`}
      onSubmit={() => segmentId && add.mutate(segmentId)}
      isPending={add.isPending}
      isIncomplete={segmentId === null}
      error={add.error}
      result={add.data && (
        <Text size="sm" role="status">
          {countOf(add.data.changed, "customer")} added, {countOf(add.data.unchanged, "customer")}
          {" "}
          already in the segment.
        </Text>
      )}
    >
      <Stack gap="xs">
        <Select
          label="Static segment"
          placeholder={segments.length === 0 ? "No static segments yet" : "Choose a segment"}
          data={segments.map(({ id, name }) => ({ value: id, label: name }))}
          value={segmentId}
          onChange={setSegmentId}
          searchable
          data-autofocus
        />
      </Stack>
    </FormModal>
  );
}

/** Adds customers to a segment, in calls of as many as the api takes. */
function useAddToSegment({ selected, query }: Pick<AddToSegmentProps, "selected" | "query">) {
  const api = useApi();
  const { id } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (segmentId: string) => {
      const ids = selected ??
        (await readAll((page) => api.call("GET /customers", { query: { ...query, ...page } }))).map(
          (customer) => customer.id,
        );
      const sum = { changed: 0, unchanged: 0 };
      for (let start = 0; start < ids.length; start += maxNamedCustomers) {
        const body = { customer_ids: ids.slice(start, start + maxNamedCustomers) };
        const call = { params: { id: segmentId }, body };
        const change = await api.call("PUT /segments/{id}/customers", call);
        sum.changed += change.changed;
        sum.unchanged += change.unchanged;
      }
      return sum;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [id] }),
  });
}
