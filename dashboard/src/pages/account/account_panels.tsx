import { Paper, Stack, Title } from "@mantine/core";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { AppearancePanel } from "./appearance_panel.tsx";
import { PasswordPanel } from "./password_panel.tsx";
import { SessionsPanel } from "./sessions_panel.tsx";

interface AccountPanelsProps {
  /** The zone of the open workspace. */
  workspaceZone?: string;
}

/** The user's own account: who it is, appearance, password, sessions. */
export function AccountPanels({ workspaceZone }: AccountPanelsProps) {
  const { session } = useServices();
  const user = useSession(session)?.user;
  return (
    <Stack maw={720} gap="lg">
      <Paper p="lg">
        <Title order={2} size="h4" mb="md">You</Title>
        <FieldList
          fields={[
            ["Email", user?.email],
            ["Account created", <TimeAgo key="created" time={user?.created_at} />],
            ["User ID", <IdText key="id" value={user?.id ?? ""} label="user ID" />],
          ]}
        />
      </Paper>
      <AppearancePanel workspaceZone={workspaceZone} />
      <PasswordPanel />
      <SessionsPanel />
    </Stack>
  );
}
