import { Button } from "@mantine/core";
import { PlusIcon, WebhookIcon } from "@primer/octicons-react";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { destinationColumns } from "./destination_columns.tsx";

export function DestinationsPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const destinations = useApiList("GET /destinations", {}, { refetchInterval: 15_000 });
  const create = mayEdit && (
    <Button {...linkTo(`/w/${id}/destinations/new`)} leftSection={<PlusIcon />}>
      New destination
    </Button>
  );
  return (
    <Page
      title="Destinations"
      description="Forward events to your systems as signed webhooks."
      actions={create}
    >
      <ListTable
        label="Destinations"
        list={destinations}
        columns={destinationColumns}
        linkTo={(destination) => `/w/${id}/destinations/${destination.id}`}
        empty={
          <EmptyState icon={WebhookIcon} title="No destinations yet" action={create}>
            {mayEdit
              ? "Enter the URL of your system and choose the events to send."
              : "Ask an admin of this workspace to create one."}
          </EmptyState>
        }
      />
    </Page>
  );
}
