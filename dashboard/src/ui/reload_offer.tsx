import { Button, Paper, Text } from "@mantine/core";
import { reloadPage, useReloadOffer } from "./late_import.ts";

/** Says that the dashboard was updated, above everything else. */
export function ReloadOffer() {
  if (!useReloadOffer()) return null;
  return (
    <Paper className="reload-offer" role="alert">
      <Text size="sm">The dashboard was updated. Reload it to continue. Drafts are kept.</Text>
      <Button size="xs" onClick={reloadPage}>Reload</Button>
    </Paper>
  );
}
