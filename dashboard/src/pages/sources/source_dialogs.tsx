import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { SourceFields } from "./source_fields.tsx";
import { useSourceForm } from "./use_source_form.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { SCHEMES, secretLabel } from "./schemes.ts";
import type { Source } from "../../api/types.ts";

export function EditSourceModal({ source, isOpen, close }: SourceDialogProps) {
  const { form, submitTo } = useSourceForm(source);
  const save = useApiAction(
    "PATCH /sources/{id}",
    (body: ApiBody<"PATCH /sources/{id}">) => ({ params: { id: source.id }, body }),
    { onSuccess: close },
  );
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title="Edit source"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      action={save}
      size="lg"
    >
      <SourceFields form={form} isNew={false} />
    </FormModal>
  );
}

export function DeleteSourceModal({ source, isOpen, close }: SourceDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const remove = useApiAction("DELETE /sources/{id}", () => ({ params: { id: source.id } }), {
    onSuccess: () => void navigate({ to: "/w/$workspaceId/sources", params: { workspaceId } }),
  });
  return (
    <ConfirmModal
      isOpen={isOpen}
      close={close}
      title="Delete this source?"
      confirmLabel="Delete"
      typed={{ label: "Type its name to confirm", value: source.name }}
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Whatever <b>{source.name}</b>{" "}
        sends is answered with 404 from then on. Events that came of it stay.
      </Text>
    </ConfirmModal>
  );
}

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

export interface SourceDialogProps {
  source: Source;
  isOpen: boolean;
  close: () => void;
}
