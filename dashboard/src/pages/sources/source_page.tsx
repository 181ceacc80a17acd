import { Alert, Anchor, Box, Group, Paper, Stack, Tabs, Title } from "@mantine/core";
import { AlertIcon, KeyAsteriskIcon } from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import type { Source } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { JsonView } from "../../ui/code_view.tsx";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { RoleGate } from "../../ui/role_gate.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { ReasonList } from "../rejected/reason_list.tsx";
import { RejectedList } from "../rejected/rejected_list.tsx";
import { presetOptions, secretHint, senderLabel } from "./schemes.ts";
import { FirstRequest } from "./first_request.tsx";
import { ReceiptList } from "./receipt_list.tsx";
import { SourceActions } from "./source_actions.tsx";
import { lacksMapping } from "./describe_source.ts";
import { SourceAddress, SourceHealth, SourceStats } from "./source_health.tsx";
import { TryMapping } from "./try_mapping.tsx";

export function SourcePage() {
  const { sourceId } = useParams({ from: "/w/$workspaceId/sources/$sourceId" });
  const source = useApiItem("GET /sources/{id}", { params: { id: sourceId } }, {
    refetchInterval: 5_000,
  });
  return <ItemView item={source}>{(data) => <Details source={data} />}</ItemView>;
}

function Details({ source }: { source: Source }) {
  const { filters, setFilters } = useFilters();
  const mayTry = useMay("member");
  const tab = filters.tab ?? "receipts";
  const isNew = source.enabled && !source.health.last_received_at;
  return (
    <Page
      title={source.name}
      above={<BackLink path="/sources">Sources</BackLink>}
      heading={
        <Group gap="sm">
          <span>{source.name}</span>
          <SourceHealth source={source} />
        </Group>
      }
      description={senderLabel(source)}
      actions={<SourceActions source={source} />}
    >
      <Stack gap="lg">
        {!(isNew && tab === "receipts") && <Lacks source={source} tab={tab} />}
        <Tabs
          value={tab}
          onChange={(next) =>
            setFilters({ tab: next === "receipts" ? undefined : next ?? undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="receipts">Received</Tabs.Tab>
            <Tabs.Tab value="rejected">Rejected</Tabs.Tab>
            {mayTry && <Tabs.Tab value="try">Mapping</Tabs.Tab>}
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="receipts">
            {isNew ? <FirstRequest source={source} /> : (
              <Stack gap="lg">
                <Paper p="md">
                  <SourceAddress source={source} />
                </Paper>
                <SourceStats source={source} />
                <div>
                  <ReceiptList source={source} />
                </div>
              </Stack>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="rejected">
            <ReasonList sourceId={source.id} />
            <RejectedList query={{ source_id: source.id }} />
          </Tabs.Panel>
          <Tabs.Panel value="try">
            <RoleGate role="member" action="test mappings">
              <TryMapping source={source} />
            </RoleGate>
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <SourceSettings source={source} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Page>
  );
}

/** Says what keeps a source from storing events; the steps to its first request say the same. */
function Lacks({ source, tab }: { source: Source; tab: string }) {
  return (
    <>
      {!source.has_secret && (
        <Alert color="orange" icon={<KeyAsteriskIcon />} title="Signing secret missing">
          Requests are refused until you set the sender’s secret. Where to find it:{" "}
          {secretHint(source.scheme, source.hmac)}.
        </Alert>
      )}
      {lacksMapping(source) && tab !== "try" && (
        <Alert color="orange" icon={<AlertIcon />} title="No mapping yet">
          Entries are rejected until you choose a preset or save a mapping. Send a request, then
          open <b>Mapping</b>. Rejected entries can be resent afterwards.
        </Alert>
      )}
    </>
  );
}

function SourceSettings({ source }: { source: Source }) {
  const mayTry = useMay("member");
  const preset = presetOptions.find(({ value }) => value === source.preset);
  return (
    <Stack>
      <Paper p="md">
        <Box mb="md">
          <SourceAddress source={source} />
        </Box>
        <FieldList
          fields={[
            ...source.topic_arn ? [["Topic", source.topic_arn] satisfies Field] : [],
            ...source.scheme === "sns"
              ? []
              : [["Signing secret", source.has_secret ? "Set" : "Missing"] satisfies Field],
            ["Preset", preset?.label ?? "None"],
            ...mayTry ? [["Mapping", <MappingLink key="mapping" source={source} />] as Field] : [],
            ["Created", <TimeAgo key="created" time={source.created_at} />],
            ["Last change", <TimeAgo key="updated" time={source.updated_at} />],
            ["Description", source.description],
            ["Source ID", <IdText key="id" value={source.id} label="source ID" />],
          ]}
        />
      </Paper>
      {source.hmac && (
        <Paper p="md">
          <Title order={2} size="h5" mb="xs">HMAC settings</Title>
          <JsonView value={source.hmac} label="HMAC settings" />
        </Paper>
      )}
      {!mayTry && source.mapping && (
        <Paper p="md">
          <Title order={2} size="h5" mb="xs">Mapping</Title>
          <JsonView value={source.mapping} label="Mapping" />
        </Paper>
      )}
    </Stack>
  );
}

/** Leads to the tab with the mapping. Those who may not see that tab see the mapping itself. */
function MappingLink({ source }: { source: Source }) {
  const { id } = useWorkspace();
  return (
    <Anchor {...linkTo(`/w/${id}/sources/${source.id}`, { tab: "try" })} size="sm">
      {source.mapping ? "Custom mapping" : source.preset ? "Of the preset" : "Not set"}
    </Anchor>
  );
}
