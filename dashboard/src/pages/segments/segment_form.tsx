import {
  Button,
  Group,
  Paper,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import type { Segment } from "../../api/types.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import type { Draft } from "../../api/use_draft.ts";
import { ConditionEditor } from "../../conditions/condition_editor.tsx";
import { parseFilter } from "../../conditions/filter_text.ts";
import { showCondition } from "../../conditions/show_condition.tsx";
import { suggestKey } from "../../format/suggest_key.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { ErrorState } from "../../ui/error_state.tsx";

interface SegmentFormOptions {
  /** Undefined for a new one. */
  segment?: Segment;
  /** A filter of customers that the condition of a new segment starts as. */
  filter?: string | undefined;
}

/** The form of a segment, or of a new one. */
export function useSegmentForm({ segment, filter }: SegmentFormOptions) {
  const filtered = parseFilter(filter);
  // A draft belongs to the filter that it began with.
  const newDraft = filtered ? `new:${filter}` : "new";
  return useApiForm({
    draft: `segment:${segment?.id ?? newDraft}`,
    schema: "newSegment",
    resource: segment,
    initialValues: {
      name: segment?.name ?? "",
      key: segment?.key ?? "",
      description: segment?.description ?? "",
      kind: (segment?.kind ?? "live") as "live" | "static",
      condition: (segment?.condition ?? filtered ?? { all: [] }) as unknown,
    },
    toBody: ({ name, key, description, kind, condition }) => ({
      name,
      key: textOrNull(key),
      description: textOrNull(description),
      // The kind of a segment is fixed when it is created.
      ...segment ? {} : { kind },
      ...kind === "live" ? { condition } : {},
    }),
  });
}

export type SegmentForm = ReturnType<typeof useSegmentForm>["form"];

interface SegmentFieldsProps {
  form: SegmentForm;
  isNew?: boolean;
  onSubmit: () => void;
  submitLabel: string;
  cancel: () => void;
  draft: Draft;
  isPending: boolean;
  /** Error of the last attempt, and the part of it that no field shows. */
  error: Error | null;
  generalError: Error | null;
}

/** Name, kind and condition, with a live count. */
export function SegmentFields(props: SegmentFieldsProps) {
  const { form, isNew = false, error, generalError } = props;
  const [isTried, setTried] = useState(false);
  const name = form.getInputProps("name");
  const rename = (event: ChangeEvent<HTMLInputElement>) => {
    const isSuggested = form.values.key === suggestKey(form.values.name);
    if (isNew && isSuggested) form.setFieldValue("key", suggestKey(event.currentTarget.value));
    name.onChange(event);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        props.onSubmit();
      }}
    >
      <DraftNotice draft={props.draft} shows={{ condition: showCondition }} />
      <Stack gap="lg">
        <Paper p="lg">
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Name"
                placeholder="Big spenders"
                withAsterisk
                {...name}
                onChange={rename}
              />
              <TextInput
                label="Key"
                description="Identifies the segment in conditions and in the API"
                placeholder="big_spenders"
                inputWrapperOrder={["label", "input", "description", "error"]}
                {...form.getInputProps("key")}
              />
            </SimpleGrid>
            <Textarea label="Description" autosize {...form.getInputProps("description")} />
            {isNew && <KindChoice form={form} />}
          </Stack>
        </Paper>
        {form.values.kind === "live" && (
          <Paper p="lg">
            <Title order={2} size="h5">Condition</Title>
            <Text size="sm" c="dimmed" mb="md">Customers who match it are members.</Text>
            <ConditionEditor
              label="Condition"
              value={form.values.condition}
              onChange={(condition) => form.setFieldValue("condition", condition)}
              error={error}
              showsMissing={isTried}
            />
          </Paper>
        )}
        {generalError && <ErrorState error={generalError} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.cancel}>Cancel</Button>
          <Button type="submit" loading={props.isPending}>{props.submitLabel}</Button>
        </Group>
      </Stack>
    </form>
  );
}

function KindChoice({ form }: { form: SegmentForm }) {
  return (
    <Radio.Group label="Kind" {...form.getInputProps("kind")}>
      <Stack gap="xs" mt={6}>
        <Radio
          value="live"
          label="Live"
          description="Follows a condition. Customers join and leave as they change."
        />
        <Radio
          value="static"
          label="Static"
          description="A list. You add customers in the dashboard, from a file or through the API."
        />
      </Stack>
    </Radio.Group>
  );
}
