import { Button, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { TrashIcon } from "@primer/octicons-react";
import type { ChangeEvent } from "react";
import type { Topic } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { suggestKey } from "../../format/suggest_key.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Select } from "../../ui/overlays.tsx";
import { topicDefaults } from "./topic_defaults.ts";

const defaultOptions = Object.entries(topicDefaults)
  .map(([value, { label, who }]) => ({ value, label: `${label}: ${who}` }));

/** Creates a topic, or changes or deletes the given one. */
export function TopicModal({ topic, ...dialog }: DialogProps & { topic: Topic | undefined }) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: `topic:${topic?.id ?? "new"}`,
    schema: "newTopic",
    resource: topic,
    initialValues: {
      name: topic?.name ?? "",
      key: topic?.key ?? "",
      default: (topic?.default ?? "unsubscribed") as string,
      description: topic?.description ?? "",
    },
    toBody: (values) => ({ ...values, description: textOrNull(values.description) }),
  });
  const name = form.getInputProps("name");
  const rename = (event: ChangeEvent<HTMLInputElement>) => {
    const isSuggested = form.values.key === suggestKey(form.values.name);
    if (!topic && isSuggested) form.setFieldValue("key", suggestKey(event.currentTarget.value));
    name.onChange(event);
  };
  const done = { onSuccess: dialog.close };
  const create = useApiAction(
    "POST /topics",
    (body: ApiBody<"POST /topics">) => ({ body }),
    done,
  );
  const save = useApiAction(
    "PATCH /topics/{id}",
    (body: ApiBody<"POST /topics">) => ({ params: { id: topic?.id ?? "" }, body }),
    done,
  );
  const action = topic ? save : create;
  return (
    <FormModal
      {...dialog}
      title={topic ? "Edit topic" : "New topic"}
      submitLabel={topic ? "Save" : "Create topic"}
      onSubmit={submitTo(action)}
      isPending={action.isPending}
      error={generalError(action.error)}
      draft={draft}
      aside={topic && <DeleteTopic topic={topic} close={dialog.close} />}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...name} onChange={rename} />
      <TextInput
        label="Key"
        description="Identifies the topic in the API"
        placeholder="newsletter"
        withAsterisk
        {...form.getInputProps("key")}
      />
      <Select
        label="Default"
        data={defaultOptions}
        allowDeselect={false}
        {...form.getInputProps("default")}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps("description")} />
    </FormModal>
  );
}

function DeleteTopic({ topic, close }: { topic: Topic; close: () => void }) {
  const [isAsking, ask] = useDisclosure();
  const remove = useApiAction("DELETE /topics/{id}", () => ({ params: { id: topic.id } }), {
    onSuccess: close,
  });
  return (
    <>
      <Button variant="subtle" color="red" leftSection={<TrashIcon />} onClick={ask.open}>
        Delete
      </Button>
      <ConfirmModal
        isOpen={isAsking}
        close={ask.close}
        title="Delete this topic?"
        confirmLabel="Delete topic"
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">
          Deletes <bdi>{topic.name}</bdi>{" "}
          with the choices of all customers: who joined it, and who left it.
        </Text>
      </ConfirmModal>
    </>
  );
}
