import { Anchor, Button, Group, Paper, Stack, Text } from "@mantine/core";
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
import { useListBefore } from "../../ui/use_list_before.ts";
import { useFilters } from "../../url/use_filters.ts";
import { secretLabel } from "./schemes.ts";
import { TestCall } from "./first_request.tsx";
import { SourceAddress } from "./source_health.tsx";
import { findKnownSender, type KnownSender } from "./known_senders.ts";
import { SenderChoice } from "./sender_choice.tsx";
import { SourceFields } from "./source_fields.tsx";
import { useNewSourceForm } from "./use_source_form.ts";

/** Chooses the sender, which the address then names, and asks for what this sender needs. */
export function NewSourcePage() {
  const sender = findKnownSender(useFilters().filters.sender);
  if (sender) return <SenderForm key={sender.key} sender={sender} />;
  return (
    <Page
      title="New source"
      description="Where do the webhooks come from?"
      above={<BackLink path="/sources">Sources</BackLink>}
    >
      <RoleGate role="admin" action="create sources">
        <SenderChoice />
      </RoleGate>
    </Page>
  );
}

function SenderForm({ sender }: { sender: KnownSender }) {
  const { form, submitTo, generalError, draft } = useNewSourceForm(sender);
  const { to, search } = useListBefore("/sources");
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
                  <ChosenSender label={sender.label} />
                  <DraftNotice draft={draft} />
                  <SourceFields form={form} sender={sender} />
                  {error && <ErrorState error={error} />}
                  <Group justify="flex-end">
                    <Button variant="default" {...linkTo(to, search)}>Cancel</Button>
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

/** The sender that was chosen, and the way back to all of them. */
function ChosenSender({ label }: { label: string }) {
  const { id } = useWorkspace();
  return (
    <Group gap="xs">
      <Text size="sm">
        Webhooks from <b>{label}</b>
      </Text>
      <Anchor {...linkTo(`/w/${id}/sources/new`)} size="sm">Change</Anchor>
    </Group>
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
