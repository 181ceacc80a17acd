import { Anchor, Group, Skeleton, Text, Title } from "@mantine/core";
import type { AuditEntry } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ExactTime } from "../../ui/time_ago.tsx";
import { describeAction } from "./actions.ts";
import { ChangeTable } from "./change_table.tsx";
import { isId, otherDetails, readChanges } from "./changes.ts";
import { TargetLink } from "./target_link.tsx";
import { Drawer } from "../../ui/overlays.tsx";
import { useFilters } from "../../url/use_filters.ts";

/** Shows the entry of the audit log that the page's address names. */
export function AuditDrawer() {
  const { filters: { entry: entryId }, setFilters } = useFilters();
  const entry = useApiItem("GET /audit-log/{id}", { params: { id: entryId ?? "" } }, {
    enabled: entryId !== undefined,
  });
  const shown = entry.data?.id === entryId ? entry.data : undefined;
  return (
    <Drawer
      opened={entryId !== undefined}
      onClose={() => setFilters({ entry: undefined })}
      position="right"
      title={shown ? describeAction(shown) : ""}
      closeButtonProps={{ "aria-label": "Close entry" }}
    >
      <ItemView item={{ ...entry, data: shown }} skeleton={<Skeleton h={300} />}>
        {(data) => <EntryDetails entry={data} />}
      </ItemView>
    </Drawer>
  );
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
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
          ...otherDetails(entry).flatMap(([label, text]): Field[] =>
            isId(text) ? id(label, text) : [[label, text]]
          ),
        ]}
      />
      <Group gap="md" mt="md">
        {entity_id !== null && (
          <Anchor {...linkTo(log, { entity_id })} size="sm">
            All changes of this target
          </Anchor>
        )}
        {actor.id !== null && (
          <Anchor {...linkTo(log, { actor_id: actor.id })} size="sm">
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
