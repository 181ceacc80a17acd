import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { ArrowRightIcon } from "@primer/octicons-react";
import type { SourceWithSecret } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { RoleGate } from "../../ui/role_gate.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { secretLabel } from "./schemes.ts";
import { TestCall } from "./first_request.tsx";
import { SourceAddress } from "./source_health.tsx";
import { SourceFields } from "./source_fields.tsx";
import { useNewSourceForm } from "./use_source_form.ts";

export function NewSourcePage() {
  const { form, submitTo, generalError, draft } = useNewSourceForm();
  const create = useApiAction("POST /sources", (body: ApiBody<"POST /sources">) => ({ body }));
  const error = generalError(create.error);
  return (
    <Page
      title={create.data ? `${create.data.name} created` : "New source"}
      description={create.data
        ? undefined
        : "Verifies incoming webhooks and stores them as events."}
      above={<BackLink path="/sources">Sources</BackLink>}
    >
      {create.data
        ? <CreatedSource source={create.data} />
        : (
          <RoleGate role="admin" action="create sources">
            <Paper p="lg" maw={720}>
              <form onSubmit={submitTo(create)} noValidate>
                <Stack>
                  <DraftNotice draft={draft} />
                  <SourceFields form={form} isNew />
                  {error && <ErrorState error={error} />}
                  <Group justify="flex-end">
                    <Button type="submit" loading={create.isPending}>Create source</Button>
                  </Group>
                </Stack>
              </form>
            </Paper>
          </RoleGate>
        )}
    </Page>
  );
}

function CreatedSource({ source }: { source: SourceWithSecret }) {
  const { id } = useWorkspace();
  return (
    <Stack maw={760}>
      <Paper p="lg">
        <SourceAddress source={source} />
      </Paper>
      {source.secret && <SecretPanel title={secretLabel(source.scheme)} secret={source.secret} />}
      {source.has_secret && (
        <Paper p="lg">
          <TestCall source={source} secret={source.secret} />
        </Paper>
      )}
      {!source.has_secret && (
        <Text size="sm">
          Next, open the source and set its signing secret. Requests are refused until then.
        </Text>
      )}
      <Group justify="flex-end">
        <Button
          variant="default"
          rightSection={<ArrowRightIcon />}
          {...linkTo(`/w/${id}/sources/${source.id}`)}
        >
          Go to source
        </Button>
      </Group>
    </Stack>
  );
}
