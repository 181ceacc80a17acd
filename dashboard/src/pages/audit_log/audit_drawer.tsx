import { Anchor, Group, Text, Title } from "@mantine/core";
import type { AuditEntry } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ExactTime } from "../../ui/time_ago.tsx";
import { describeAction } from "./actions.ts";
import { ChangeTable } from "./change_table.tsx";
import { otherDetails, readChanges } from "./changes.ts";
import { TargetLink } from "./target_link.tsx";
import { Drawer } from "../../ui/overlays.tsx";

interface AuditDrawerProps {
  entry: AuditEntry | null;
  close: () => void;
}

/** Everything about one entry of the audit log. */
export function AuditDrawer({ entry, close }: AuditDrawerProps) {
  return (
    <Drawer
      opened={entry !== null}
      onClose={close}
      position="right"
      title={<b>{entry ? describeAction(entry) : ""}</b>}
      closeButtonProps={{ "aria-label": "Close entry" }}
    >
      {entry && <EntryDetails entry={entry} close={close} />}
    </Drawer>
  );
}

function EntryDetails({ entry, close }: { entry: AuditEntry; close: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const log = `/w/${workspaceId}/settings/audit-log`;
  const { action, actor, entity_id, entity_name, details, request_id, created_at } = entry;
  const id = (label: string, value: string | null): Field[] =>
    value ? [[label, <IdText key={label} value={value} label={label} />]] : [];
  return (
    <>
      <FieldList
        fields={[
          ["When", <ExactTime key="when" time={created_at} />],
          ["Who", actor.name ?? actor.id ?? "The service"],
          [
            "Target",
            entity_id || entity_name
              ? <TargetLink key="target" entry={entry} workspace={`/w/${workspaceId}`} />
              : null,
          ],
          ...id("Target ID", entity_id),
          ["Action", <Text key="action" ff="monospace" size="xs">{action}</Text>],
          ...id("Request ID", request_id),
          ...otherDetails(details),
        ]}
      />
      <Group gap="md" mt="md">
        {entity_id !== null && (
          <Anchor {...linkTo(log, { entity_id })} onClick={close} size="sm">
            All changes of this target
          </Anchor>
        )}
        {actor.id !== null && (
          <Anchor {...linkTo(log, { actor_id: actor.id })} onClick={close} size="sm">
            All changes by {actor.kind === "user" ? "this person" : "this key"}
          </Anchor>
        )}
      </Group>
      {readChanges(details).length > 0 && (
        <>
          <Title order={3} size="h6" mt="lg" mb="xs">Before and after</Title>
          <ChangeTable details={details} />
        </>
      )}
    </>
  );
}
