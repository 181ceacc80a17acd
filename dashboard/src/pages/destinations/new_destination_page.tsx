import { RoleGate } from "../../ui/role_gate.tsx";
import { Button, Group, Paper, Stack } from "@mantine/core";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { CreatedDestination } from "./created_destination.tsx";
import { DestinationFields } from "./destination_fields.tsx";
import { useDestinationForm } from "./use_destination_form.ts";

export function NewDestinationPage() {
  const { id } = useWorkspace();
  const { form, submitTo, generalError, draft } = useDestinationForm();
  const create = useApiAction(
    "POST /destinations",
    (body: ApiBody<"POST /destinations">) => ({ body }),
  );
  const error = generalError(create.error);
  return (
    <Page
      title={create.data ? `${create.data.name} created` : "New destination"}
      description={create.data
        ? undefined
        : "Sends signed webhooks to your system as events happen."}
      above={<BackLink path="/destinations">Destinations</BackLink>}
    >
      {create.data
        ? <CreatedDestination destination={create.data} />
        : (
          <RoleGate role="admin" action="create destinations">
            <Paper p="lg" maw={720}>
              <form onSubmit={submitTo(create)} noValidate>
                <Stack>
                  <DraftNotice draft={draft} />
                  <DestinationFields form={form} error={create.error} />
                  {error && <ErrorState error={error} />}
                  <Group justify="flex-end">
                    <Button variant="default" {...linkTo(`/w/${id}/destinations`)}>Cancel</Button>
                    <Button type="submit" loading={create.isPending}>Create destination</Button>
                  </Group>
                </Stack>
              </form>
            </Paper>
          </RoleGate>
        )}
    </Page>
  );
}
