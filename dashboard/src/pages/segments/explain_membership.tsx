import { Alert, Paper, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useApiAction } from "../../api/use_api.ts";
import { JsonView } from "../../ui/code_view.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CustomerFilter } from "../events/customer_filter.tsx";

/** Says why a customer is, or is not, a member. */
export function ExplainMembership({ segmentId }: { segmentId: string }) {
  const { filters, setFilters } = useFilters();
  const { customer_id } = filters;
  const explain = useApiAction(
    "POST /segments/{id}/explain",
    (customer_id: string) => ({ params: { id: segmentId }, body: { customer_id } }),
  );
  useEffect(() => {
    if (customer_id) explain.mutate(customer_id);
  }, [customer_id]);
  const found = customer_id ? explain.data : undefined;
  return (
    <Paper p="md">
      <Stack>
        <CustomerFilter value={customer_id} onChange={(id) => setFilters({ customer_id: id })} />
        {!customer_id && (
          <Text size="sm" c="dimmed">Choose a customer to see why they are a member or not.</Text>
        )}
        {explain.error && <ErrorState error={explain.error} />}
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
        {found?.tree && <JsonView value={found.tree} label="Explained condition" />}
      </Stack>
    </Paper>
  );
}
