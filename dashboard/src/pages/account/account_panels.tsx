import { Paper, Stack, Text, Title } from "@mantine/core";
import { useServices } from "../../api/services.ts";
import { useSession } from "../../api/session.ts";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { PasswordPanel } from "./password_panel.tsx";
import { SessionsPanel } from "./sessions_panel.tsx";

/** The user's own account: who it is, password, sessions. */
export function AccountPanels() {
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
        <Text size="sm" c="dimmed" mt="md">
          To change the theme or the time zone, open the menu with your email address.
        </Text>
      </Paper>
      <PasswordPanel />
      <SessionsPanel />
    </Stack>
  );
}
