import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { Source } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { type Draft, useShownDraft } from "../../api/use_draft.ts";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { useReturn } from "../../ui/use_list_before.ts";
import { schemeTexts, secretHint, secretLabel } from "./schemes.ts";
import { SourceFields } from "./source_fields.tsx";
import { useSourceForm } from "./use_source_form.ts";

type SourceDialogProps = DialogProps & { source: Source };

export function EditSourceModal({ source, ...dialog }: SourceDialogProps) {
  const { form, submitTo, generalError, draft } = useSourceForm(source);
  const save = useApiAction(
    "PATCH /sources/{id}",
    (body: ApiBody<"PATCH /sources/{id}">) => ({ params: { id: source.id }, body }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Edit source"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      draft={draft}
      size="lg"
    >
      <SourceFields form={form} />
    </FormModal>
  );
}

export function DeleteSourceModal({ source, ...dialog }: SourceDialogProps) {
  const goBack = useReturn("/sources");
  const remove = useApiAction("DELETE /sources/{id}", () => ({ params: { id: source.id } }), {
    onSuccess: goBack,
  });
  return (
    <DeleteModal {...dialog} noun="source" name={source.name} action={remove}>
      Requests from <b dir="auto">{source.name}</b>{" "}
      will get a 404. Events already received are kept.
    </DeleteModal>
  );
}

/** Stores the sender's secret, or creates one for schemes where the receiver chooses it. */
export function SourceSecretModal({ source, ...dialog }: SourceDialogProps) {
  const [secret, setSecret] = useState("");
  const save = useApiAction("POST /sources/{id}/rotate-secret", () => ({
    params: { id: source.id },
    body: secret.trim() ? { secret: secret.trim() } : {},
  }), {
    // Only a generated secret needs to be shown.
    onSuccess: () => {
      if (secret.trim() !== "") dialog.close();
    },
  });
  const label = secretLabel(source.scheme);
  const forget = () => {
    save.reset();
    setSecret("");
  };
  // A secret is never stored.
  const draft: Draft = {
    isDirty: () => dialog.isOpen && secret !== "" && !save.isPending,
    isRestored: false,
    discard: forget,
    forget,
  };
  useShownDraft(draft);
  return (
    <FormModal
      {...dialog}
      title={source.has_secret ? "Rotate the secret" : "Set the secret"}
      submitLabel="Save"
      isIncomplete={schemeTexts[source.scheme].isSenders && secret.trim() === ""}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      error={save.error}
      draft={draft}
      result={secret.trim() === "" && save.data?.secret && (
        <SecretPanel title={label} secret={save.data.secret} />
      )}
      onClosed={forget}
      size="lg"
    >
      <TextInput
        label={label}
        description={secretHint(source.scheme, source.hmac)}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        autoComplete="off"
        classNames={{ input: "mono" }}
        data-autofocus
      />
    </FormModal>
  );
}
