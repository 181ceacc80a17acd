import { Text, Title } from "@mantine/core";
import type { AuditEntry } from "../../api/types.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ExactTime } from "../../ui/time_ago.tsx";
import { actionLabel } from "./actions.ts";
import { ChangeList } from "./change_list.tsx";
import { otherDetails, readChanges } from "./changes.ts";
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
      title={<b>{entry ? actionLabel(entry.action) : ""}</b>}
      closeButtonProps={{ "aria-label": "Close entry" }}
    >
      {entry && <EntryDetails entry={entry} />}
    </Drawer>
  );
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { action, actor, entity_id, entity_name, details, request_id, created_at } = entry;
  const id = (label: string, value: string | null): Field[] =>
    value ? [[label, <IdText key={label} value={value} label={label} />]] : [];
  return (
    <>
      <FieldList
        fields={[
          ["When", <ExactTime key="when" time={created_at} />],
          ["Actor", actor.name ?? actor.id ?? "The service"],
          ["Target", entity_name],
          ...id("Target ID", entity_id),
          ["Action", <Text key="action" ff="monospace" size="xs">{action}</Text>],
          ...id("Request ID", request_id),
          ...otherDetails(details),
        ]}
      />
      {readChanges(details).length > 0 && (
        <>
          <Title order={3} size="h6" mt="lg" mb="xs">Before and after</Title>
          <ChangeList details={details} />
        </>
      )}
    </>
  );
}
