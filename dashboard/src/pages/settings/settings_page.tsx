import { Anchor, Paper, Stack, Text, Title } from "@mantine/core";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { BrowserIpPanel } from "./browser_ip_panel.tsx";
import { DeletePanel } from "./delete_panel.tsx";
import { MessageSettings } from "./message_settings.tsx";
import { RenameForm } from "./rename_form.tsx";
import { RetentionPanel } from "./retention_panel.tsx";

export function SettingsPage() {
  const workspace = useWorkspace();
  const isOwner = useMay("owner");
  return (
    <Page title="Workspace settings" description="Name, emails, retention, privacy and deletion.">
      <Stack maw={720} gap="lg">
        <Paper p="lg">
          <Title order={2} size="h4" mb="md">Workspace</Title>
          {isOwner && <RenameForm />}
          <FieldList
            fields={[
              ...(isOwner ? [] : [["Name", workspace.name] satisfies Field]),
              ["Plan", <Plan key="plan" />],
              ["Your role", <Text key="role" size="sm" tt="capitalize">{workspace.role}</Text>],
              ["Created", <TimeAgo key="created" time={workspace.created_at} />],
              ["Workspace ID", <IdText key="id" value={workspace.id} label="workspace ID" />],
            ]}
          />
        </Paper>
        {!isOwner && (
          <Text size="sm" c="dimmed">
            Only owners can rename or delete this workspace and change its settings.
          </Text>
        )}
        <MessageSettings />
        <RetentionPanel />
        {isOwner && <BrowserIpPanel />}
        {isOwner && <DeletePanel />}
      </Stack>
    </Page>
  );
}

/** The name of the plan, and where to see how much of it is used. */
function Plan() {
  const { id, plan } = useWorkspace();
  return (
    <>
      <Text size="sm" className="capitalized" component="div">{plan.id}</Text>
      <Anchor {...linkTo(`/w/${id}/settings/usage`)} size="sm">See usage</Anchor>
    </>
  );
}
