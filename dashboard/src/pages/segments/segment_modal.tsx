import { JsonInput, Select, Textarea, TextInput } from "@mantine/core";
import { newSegment, segmentEdit } from "../../api/schemas.ts";
import type { Segment } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";

const kindOptions = [
  { value: "live", label: "Live: customers that fulfil a condition" },
  { value: "static", label: "Static: a list of customers" },
];
const example = { event: "order_completed", within: "30d", count: { gte: 2 } };

/** Creates a segment, or changes the given one. */
export function SegmentModal({ segment, ...dialog }: DialogProps & { segment?: Segment }) {
  return segment
    ? <EditSegment key={String(dialog.isOpen)} segment={segment} {...dialog} />
    : <NewSegment key={String(dialog.isOpen)} {...dialog} />;
}

function NewSegment(dialog: DialogProps) {
  const { form, submitTo, generalError } = useApiForm({
    schema: newSegment,
    initialValues: { ...emptyValues, condition: JSON.stringify(example, null, 2) },
    toBody: ({ kind, condition, ...values }) => ({
      ...readValues(values),
      kind,
      ...kind === "live" ? { condition: readJson(condition) } : {},
    }),
  });
  const create = useApiAction("POST /segments", (body: ApiBody<"POST /segments">) => ({ body }), {
    onSuccess: dialog.close,
  });
  return (
    <FormModal
      {...dialog}
      title="New segment"
      submitLabel="Create segment"
      onSubmit={submitTo(create)}
      isPending={create.isPending}
      error={generalError(create.error)}
      size="lg"
    >
      <SegmentFields form={form} isNew />
    </FormModal>
  );
}

function EditSegment({ segment, ...dialog }: DialogProps & { segment: Segment }) {
  const { form, submitTo, generalError } = useApiForm({
    schema: segmentEdit,
    initialValues: {
      name: segment.name,
      key: segment.key ?? "",
      description: segment.description ?? "",
      kind: segment.kind as string,
      condition: JSON.stringify(segment.condition, null, 2),
    },
    toBody: ({ kind, condition, ...values }) => ({
      ...readValues(values),
      ...kind === "live" ? { condition: readJson(condition) } : {},
    }),
  });
  const save = useApiAction(
    "PATCH /segments/{id}",
    (body: ApiBody<"PATCH /segments/{id}">) => ({ params: { id: segment.id }, body }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Edit segment"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      size="lg"
    >
      <SegmentFields form={form} />
    </FormModal>
  );
}

const emptyValues = { name: "", key: "", description: "", kind: "live" as string, condition: "" };
type Values = typeof emptyValues;
type SegmentForm = ReturnType<typeof useApiForm<Values, typeof newSegment>>["form"];

function SegmentFields({ form, isNew = false }: { form: SegmentForm; isNew?: boolean }) {
  return (
    <>
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Key"
        description="Names the segment in conditions and in the API"
        placeholder="big-spenders"
        {...form.getInputProps("key")}
      />
      {isNew && (
        <Select
          label="Kind"
          data={kindOptions}
          allowDeselect={false}
          {...form.getInputProps("kind")}
        />
      )}
      {form.values.kind === "live" && (
        <JsonInput
          label="Condition"
          description="All history is computed again after a change"
          classNames={{ input: "mono" }}
          autosize
          minRows={6}
          maxRows={18}
          {...form.getInputProps("condition")}
        />
      )}
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps("description")} />
    </>
  );
}

function readValues({ name, key, description }: Pick<Values, "name" | "key" | "description">) {
  return { name, key: textOrNull(key), description: textOrNull(description) };
}

/** Parses the condition. Invalid JSON stays text, which the api's schema refuses. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
