import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { ArrowRightIcon } from "@primer/octicons-react";
import type { DestinationWithSecret } from "../../api/types.ts";
import { linkTo } from "../../ui/link_to.ts";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { PingButton } from "./ping_button.tsx";
import { VerifySnippet } from "./verify_snippet.tsx";

/** Shown after creation: the secret, how to verify with it, and a test ping. */
export function CreatedDestination({ destination }: { destination: DestinationWithSecret }) {
  const { id } = useWorkspace();
  return (
    <Stack maw={760}>
      <SecretPanel title="Signing secret" secret={destination.secret} />
      <Paper p="lg">
        <Title order={2} size="h4">Verify requests</Title>
        <Text size="sm" c="dimmed" mb="md">
          Every request is signed. Compute the signature of the raw body and reject requests that
          don’t match.
        </Text>
        <VerifySnippet />
      </Paper>
      <Group justify="space-between">
        <PingButton destination={destination} />
        <Button
          variant="default"
          rightSection={<ArrowRightIcon />}
          {...linkTo(`/w/${id}/destinations/${destination.id}`)}
        >
          Go to destination
        </Button>
      </Group>
    </Stack>
  );
}
