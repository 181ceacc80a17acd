import { Anchor, Button, Text } from "@mantine/core";
import { KeyIcon } from "@primer/octicons-react";
import { useApiAction } from "../../api/use_api.ts";
import { ErrorState } from "../../components/error_state.tsx";
import { linkTo } from "../../components/link_to.ts";
import { SecretPanel } from "../../components/secret_panel.tsx";
import { useMay, useWorkspace } from "../../workspace.ts";

interface SnippetKeyProps {
  value: string | null;
  onCreate: (key: string) => void;
}

/** A real key for the snippets, made when asked for. */
export function SnippetKey({ value, onCreate }: SnippetKeyProps) {
  const { id } = useWorkspace();
  const isAdmin = useMay("admin");
  const create = useApiAction(
    "POST /api-keys",
    () => ({ body: { name: "Getting started", scopes: ["track:write"] } }),
    { onSuccess: ({ key }) => onCreate(key) },
  );
  if (value) return <SecretPanel title="Your key" secret={value} />;
  if (!isAdmin) return <Text size="sm">Ask an admin of the workspace for a key.</Text>;
  return (
    <>
      {create.error && <ErrorState error={create.error} />}
      <Button leftSection={<KeyIcon />} loading={create.isPending} onClick={() => create.mutate()}>
        Create a key
      </Button>
      <Text size="xs" c="dimmed" mt="xs">
        You can revoke it under <Anchor {...linkTo(`/w/${id}/api-keys`)} inherit>API keys</Anchor>.
      </Text>
    </>
  );
}
