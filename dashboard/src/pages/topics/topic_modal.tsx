import { Button, Textarea, TextInput } from "@mantine/core";
import { TrashIcon } from "@primer/octicons-react";
import type { Topic } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Select } from "../../ui/overlays.tsx";

const defaultOptions = [
  { value: "unsubscribed", label: "Opt-in: only people who joined" },
  { value: "subscribed", label: "Opt-out: everyone who has not left" },
];

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
  const remove = useApiAction(
    "DELETE /topics/{id}",
    () => ({ params: { id: topic?.id ?? "" } }),
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
      error={generalError(action.error) ?? remove.error}
      draft={draft}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps("name")} />
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
      {topic && (
        <Button
          variant="light"
          color="red"
          leftSection={<TrashIcon />}
          loading={remove.isPending}
          onClick={() => confirm(`Delete the topic ${topic.name}?`) && remove.mutate()}
        >
          Delete topic
        </Button>
      )}
    </FormModal>
  );
}
