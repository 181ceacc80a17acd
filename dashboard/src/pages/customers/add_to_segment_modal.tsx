import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { maxNamedCustomers } from "../../../../supabase/functions/api/contract/segments.ts";
import type { ApiInput } from "../../api/api_client.ts";
import { readAll } from "../../api/read_all.ts";
import { useApi, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Select } from "../../ui/overlays.tsx";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

interface AddToSegmentProps extends DialogProps {
  count: number;
  /** Undefined for all that match the query. */
  selected: string[] | undefined;
  /** Filters of the list. */
  query: NonNullable<ApiInput<"GET /customers">["query"]>;
}

/** Adds customers to a static segment that is chosen. */
export default function AddToSegmentModal(
  { count, selected, query, ...dialog }: AddToSegmentProps,
) {
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
  return useSingleMutation({
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
