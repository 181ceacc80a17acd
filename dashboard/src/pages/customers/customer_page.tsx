import { Badge, Button, Grid, Group, Tabs } from "@mantine/core";
import { PencilIcon, TrashIcon } from "@primer/octicons-react";
import { useDisclosure } from "@mantine/hooks";
import { useReducer } from "react";
import { useParams } from "@tanstack/react-router";
import type { Customer } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useMay } from "../../api/workspace.ts";
import { customerName } from "../../api/customer_name.ts";
import { CustomerAvatar } from "./customer_avatar.tsx";
import { ProfileCard } from "./profile_card.tsx";
import { Timeline } from "./timeline.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { latePanel } from "../../ui/late_panel.tsx";

const CustomerMessages = latePanel(async () =>
  (await import("./customer_messages.tsx")).CustomerMessages
);
const CustomerRuns = latePanel(async () => (await import("./customer_runs.tsx")).CustomerRuns);
const CustomerSegments = latePanel(async () =>
  (await import("./customer_segments.tsx")).CustomerSegments
);
const CustomerSends = latePanel(async () => (await import("./customer_sends.tsx")).CustomerSends);
const CustomerTopics = latePanel(async () =>
  (await import("./customer_topics.tsx")).CustomerTopics
);
const DeviceTokens = latePanel(async () => (await import("./device_tokens.tsx")).DeviceTokens);
const Identities = latePanel(async () => (await import("./identities.tsx")).Identities);
const EventDrawer = lateDialog(async () =>
  (await import("../events/event_drawer.tsx")).EventDrawer
);

const EditCustomerModal = lateDialog(async () =>
  (await import("./edit_customer_modal.tsx")).EditCustomerModal
);
const EraseCustomerModal = lateDialog(async () =>
  (await import("./erase_customer_modal.tsx")).EraseCustomerModal
);

const refreshMs = 10_000;

export function CustomerPage() {
  const { customerId } = useParams({ from: "/w/$workspaceId/customers/$customerId" });
  const customer = useApiItem("GET /customers/{id}", { params: { id: customerId } }, {
    refetchInterval: refreshMs,
  });
  return <ItemView item={customer}>{(data) => <CustomerDetails customer={data} />}</ItemView>;
}

function CustomerDetails({ customer }: { customer: Customer }) {
  const [edits, countEdit] = useReducer((count: number) => count + 1, 0);
  const [isEditing, edit] = useDraftDialog(`customer:${customer.id}`, { onOpen: countEdit });
  const [isErasing, erase] = useDisclosure();
  const mayEdit = useMay("member");
  const { filters } = useFilters();
  const name = customerName(customer);
  return (
    <Page
      title={name}
      above={<BackLink path="/customers">Customers</BackLink>}
      heading={
        <Group gap="sm" wrap="nowrap">
          <CustomerAvatar customer={customer} size={40} />
          <span>{name}</span>
          {customer.external_id === null && <Badge color="gray">Anonymous</Badge>}
        </Group>
      }
      actions={mayEdit && (
        <>
          <Button variant="default" leftSection={<PencilIcon />} onClick={edit.open}>Edit</Button>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<TrashIcon />}
            onClick={erase.open}
          >
            Erase
          </Button>
        </>
      )}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <ProfileCard customer={customer} edit={mayEdit ? edit.open : undefined} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <CustomerTabs customer={customer} />
        </Grid.Col>
      </Grid>
      <EventDrawer isOpen={filters.event !== undefined} />
      <EditCustomerModal key={edits} customer={customer} isOpen={isEditing} close={edit.close} />
      <EraseCustomerModal customer={customer} isOpen={isErasing} close={erase.close} />
    </Page>
  );
}

function CustomerTabs({ customer }: { customer: Customer }) {
  const { filters, setFilters } = useFilters();
  return (
    <Tabs
      value={filters.tab ?? "timeline"}
      onChange={(tab) => setFilters({ tab: tab === "timeline" ? undefined : tab ?? undefined })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        <Tabs.Tab value="journeys">Journeys</Tabs.Tab>
        <Tabs.Tab value="messages">Emails</Tabs.Tab>
        <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
        <Tabs.Tab value="topics">Topics</Tabs.Tab>
        <Tabs.Tab value="segments">Segments</Tabs.Tab>
        <Tabs.Tab value="identities">IDs and merges</Tabs.Tab>
        <Tabs.Tab value="devices">Devices</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="timeline">
        <Timeline customerId={customer.id} />
      </Tabs.Panel>
      <Tabs.Panel value="journeys">
        <CustomerRuns customerId={customer.id} />
      </Tabs.Panel>
      <Tabs.Panel value="messages">
        <CustomerSends customerId={customer.id} />
      </Tabs.Panel>
      <Tabs.Panel value="webhooks">
        <CustomerMessages customerId={customer.id} />
      </Tabs.Panel>
      <Tabs.Panel value="topics">
        <CustomerTopics customerId={customer.id} hasEmail={customer.email !== null} />
      </Tabs.Panel>
      <Tabs.Panel value="segments">
        <CustomerSegments customerId={customer.id} />
      </Tabs.Panel>
      <Tabs.Panel value="identities">
        <Identities customer={customer} />
      </Tabs.Panel>
      <Tabs.Panel value="devices">
        <DeviceTokens customerId={customer.id} />
      </Tabs.Panel>
    </Tabs>
  );
}
