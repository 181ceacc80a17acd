import { Checkbox, Paper, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { WORKSPACES_KEY } from "../../api/services.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { useWorkspace } from "../../api/workspace.ts";

/** Lets an owner choose whether the addresses of browsers are kept. */
export function BrowserIpPanel() {
  const workspace = useWorkspace();
  const queries = useQueryClient();
  const change = useApiAction(
    "PATCH /workspaces/{id}",
    (fill_browser_ip: boolean) => ({ params: { id: workspace.id }, body: { fill_browser_ip } }),
    { onSuccess: () => void queries.invalidateQueries({ queryKey: WORKSPACES_KEY }) },
  );
  return (
    <Paper p="lg">
      <Title order={2} size="h4" mb="md">Browsers</Title>
      <Checkbox
        label="Store the IP addresses of browsers"
        description="Added as context.ip to messages from Segment's browser library that do not carry one."
        checked={change.isPending ? change.variables : workspace.fill_browser_ip}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {change.error && <ErrorState error={change.error} />}
    </Paper>
  );
}
