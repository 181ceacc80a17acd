import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useApiAction } from "../../api/use_api.ts";
import { ErrorState } from "../../components/error_state.tsx";
import { SecretPanel } from "../../components/secret_panel.tsx";
import type { SourceDialogProps } from "./dialog_props.ts";
import { SCHEMES, secretLabel } from "./schemes.ts";

/** Takes the sender's secret, or makes one where the receiver chooses it. */
export function SourceSecretModal({ source, isOpen, close }: SourceDialogProps) {
  const [secret, setSecret] = useState("");
  const save = useApiAction("POST /sources/{id}/rotate-secret", () => ({
    params: { id: source.id },
    body: secret.trim() ? { secret: secret.trim() } : {},
  }));
  const words = SCHEMES[source.scheme];
  const forget = () => {
    save.reset();
    setSecret("");
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={forget}
      title={source.has_secret ? "Rotate the secret" : "Set the secret"}
      size="lg"
    >
      <Stack>
        {save.data?.secret
          ? <SecretPanel title={secretLabel(source.scheme)} secret={save.data.secret} />
          : (
            <TextInput
              label={secretLabel(source.scheme)}
              description={words.secret}
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
              autoComplete="off"
              classNames={{ input: "mono" }}
              data-autofocus
            />
          )}
        {save.error && <ErrorState error={save.error} />}
        <Group justify="flex-end">
          {save.data ? <Button onClick={close}>Done</Button> : (
            <>
              <Button variant="default" onClick={close}>Cancel</Button>
              <Button
                onClick={() => save.mutate()}
                loading={save.isPending}
                disabled={words.isSenders && secret.trim() === ""}
              >
                Save
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
