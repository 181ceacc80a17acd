import { Button, Group, Paper } from "@mantine/core";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { CreatedDestination } from "./created_destination.tsx";
import { DestinationFields, useDestinationForm } from "./destination_form.tsx";

export function NewDestinationPage() {
  const { form, submitTo } = useDestinationForm();
  const create = useApiAction(
    "POST /destinations",
    (body: ApiBody<"POST /destinations">) => ({ body }),
  );
  return (
    <Page
      title={create.data ? `${create.data.name} is ready` : "New destination"}
      description={create.data ? undefined : "Your system gets signed webhooks as things happen."}
      above={<BackLink path="/destinations">Destinations</BackLink>}
    >
      {create.data ? <CreatedDestination destination={create.data} /> : (
        <Paper p="lg" maw={680}>
          <form onSubmit={submitTo(create)} noValidate>
            <DestinationFields form={form} />
            {create.error && <ErrorState error={create.error} />}
            <Group justify="flex-end" mt="lg">
              <Button type="submit" loading={create.isPending}>Create destination</Button>
            </Group>
          </form>
        </Paper>
      )}
    </Page>
  );
}
