import { Checkbox, Paper, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { workspacesKey } from "../../api/services.ts";
import { useApiAction } from "../../api/use_api.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { useWorkspace } from "../../api/workspace.ts";

/** Chooses whether IP addresses of browsers are stored. */
export function BrowserIpPanel() {
  const workspace = useWorkspace();
  const queries = useQueryClient();
  const change = useApiAction(
    "PATCH /workspaces/{id}",
    (fill_browser_ip: boolean) => ({ params: { id: workspace.id }, body: { fill_browser_ip } }),
    { onSuccess: () => void queries.invalidateQueries({ queryKey: workspacesKey }) },
  );
  return (
    <Paper p="lg">
      <Title order={2} size="h4" mb="md">Privacy</Title>
      <Checkbox
        label="Store IP addresses of browsers"
        description="Adds context.ip to messages of Segment’s browser library that don’t have one."
        checked={change.isPending ? change.variables : workspace.fill_browser_ip}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {change.error && <ErrorState error={change.error} />}
    </Paper>
  );
}
