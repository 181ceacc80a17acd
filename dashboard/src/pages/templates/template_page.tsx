import { Button, Paper, Tabs, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { PaperAirplaneIcon, TrashIcon } from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Template } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { ActionsMenu } from "../../ui/actions_menu.tsx";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useOpener } from "../../ui/use_opener.ts";
import { UsedBy } from "../../ui/used_by.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { TemplateEditor } from "./template_editor.tsx";
import { type SampleData, useSampleData } from "./use_sample_data.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { latePanel } from "../../ui/late_panel.tsx";
import { useReturn } from "../../ui/use_list_before.ts";

const TemplateVersions = latePanel(async () =>
  (await import("./template_versions.tsx")).TemplateVersions
);
const SendTemplateModal = lateDialog(async () =>
  (await import("./send_template_modal.tsx")).SendTemplateModal
);

export function TemplatePage() {
  const { templateId } = useParams({ from: "/w/$workspaceId/templates/$templateId" });
  const template = useApiItem("GET /templates/{id}", { params: { id: templateId } });
  return <ItemView item={template}>{(data) => <Details template={data} />}</ItemView>;
}

function Details({ template }: { template: Template }) {
  const { filters, setFilters } = useFilters();
  const sample = useSampleData(template.id);
  return (
    <Page
      title={template.name}
      above={<BackLink path="/templates">Templates</BackLink>}
      heading={<bdi>{template.name}</bdi>}
      description={<Uses uses={template.used_by} />}
      actions={<TemplateActions template={template} sample={sample} />}
    >
      <Tabs
        value={filters.tab ?? "edit"}
        onChange={(tab) => setFilters({ tab: tab === "edit" ? undefined : tab ?? undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="edit">Edit</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="details">Details</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit">
          <TemplateEditor key={template.id} template={template} sample={sample} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <TemplateVersions template={template} />
        </Tabs.Panel>
        <Tabs.Panel value="details">
          <Paper p="md">
            <Facts template={template} />
          </Paper>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Most names of what uses a template that its heading shows. */
const mostNamed = 3;

/** Names of campaigns and journeys that send the template. The details have the links. */
function Uses({ uses }: { uses: Template["used_by"] }) {
  if (uses.length === 0) return "Not in use";
  const more = uses.length - mostNamed;
  return (
    <>
      In use by {uses.slice(0, mostNamed).map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ", "}
          “<bdi>{name}</bdi>”
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

function Facts({ template }: { template: Template }) {
  return (
    <FieldList
      fields={[
        ["Key", template.key],
        ["Format", formatOf(template)],
        ["Version", template.version],
        ["Created", <TimeAgo key="created" time={template.created_at} />],
        ["Updated", <TimeAgo key="updated" time={template.updated_at} />],
        ["If a variable is missing", template.strict ? "The email is not sent" : "It stays empty"],
        ["Tracking", describeTracking(template)],
        ["Variables", <Variables key="variables" names={template.variables} />],
        [
          "In use by",
          template.used_by.length > 0 ? <UsedBy key="uses" uses={template.used_by} /> : null,
        ],
        ["Template ID", <IdText key="id" value={template.id} label="template ID" />],
      ]}
    />
  );
}

function formatOf({ html, mjml }: Template): string {
  if (mjml !== null) return "MJML";
  return html === null ? "Text only" : "HTML";
}

function describeTracking({ track_opens, track_clicks }: Template): string {
  if (track_opens && track_clicks) return "Opens and clicks";
  if (track_opens) return "Opens";
  return track_clicks ? "Clicks" : "Off";
}

function Variables({ names }: { names: readonly string[] }) {
  if (names.length === 0) return "None";
  return names.map((name) => (
    <Text key={name} size="xs" ff="monospace" component="div" className="break-anywhere">
      {name}
    </Text>
  ));
}

interface TemplateActionsProps {
  template: Template;
  sample: SampleData;
}

function TemplateActions({ template, sample }: TemplateActionsProps) {
  const mayEdit = useMay("member");
  const goBack = useReturn("/templates");
  const [isSending, send] = useDisclosure();
  const { opener, giveBack } = useOpener();
  const [isDeleting, remove] = useDisclosure(false, { onClose: giveBack });
  const deletion = useApiAction(
    "DELETE /templates/{id}",
    () => ({ params: { id: template.id } }),
    {
      onSuccess: goBack,
    },
  );
  if (!mayEdit) return null;
  return (
    <>
      <Button variant="default" leftSection={<PaperAirplaneIcon />} onClick={send.open}>
        Send test email
      </Button>
      <ActionsMenu opener={opener}>
        <Menu.Item className="danger-item" leftSection={<TrashIcon />} onClick={remove.open}>
          Delete
        </Menu.Item>
      </ActionsMenu>
      {isSending && (
        <SendTemplateModal template={template} sample={sample} isOpen close={send.close} />
      )}
      <DeleteModal
        isOpen={isDeleting}
        close={remove.close}
        noun="template"
        name={template.name}
        action={deletion}
      >
        Deletes <bdi>{template.name}</bdi>. Emails that were sent stay readable.
      </DeleteModal>
    </>
  );
}
