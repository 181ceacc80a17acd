import { Alert, Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ExplainedTree } from "../../conditions/explained_tree.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";

/** Says why a customer is, or is not, a member. */
export function ExplainMembership({ segmentId }: { segmentId: string }) {
  const { filters, setFilters } = useFilters();
  const { customer_id } = filters;
  const explanation = useExplanation(segmentId, customer_id);
  const found = customer_id ? explanation.data : undefined;
  return (
    <Paper p="md">
      <Stack>
        <CustomerFilter value={customer_id} onChange={(id) => setFilters({ customer_id: id })} />
        {!customer_id && (
          <Text size="sm" c="dimmed">
            Choose a customer to see why they are or are not a member.
          </Text>
        )}
        {explanation.error && <ErrorState error={explanation.error} retry={explanation.refetch} />}
        {found && (
          <Alert
            color={found.member ? "green" : "gray"}
            title={found.member ? "Is a member" : "Is not a member"}
          >
            {found.since && (
              <>
                Since <TimeAgo time={found.since} />.{" "}
              </>
            )}
            {found.changes_at && (
              <>
                Without further events, this changes <TimeAgo time={found.changes_at} />.
              </>
            )}
          </Alert>
        )}
        {found?.tree && <ExplainedTree tree={found.tree} />}
      </Stack>
    </Paper>
  );
}

function useExplanation(segmentId: string, customerId: string | undefined) {
  const api = useApi();
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, "explained membership", segmentId, customerId],
    queryFn: ({ signal }) =>
      api.call("POST /segments/{id}/explain", {
        params: { id: segmentId },
        body: { customer_id: customerId ?? "" },
        signal,
      }),
    enabled: customerId !== undefined,
  });
}
