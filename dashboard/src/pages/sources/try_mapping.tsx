import { Group, JsonInput, Paper, SimpleGrid, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Source } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { MappingResult } from "./mapping_result.tsx";
import { PayloadValueList } from "./payload_value_list.tsx";
import type { Mapping } from "./payload_values.ts";
import { ReceivedPayload } from "./received_payload.tsx";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { useMay } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { SaveButton } from "../../ui/save_button.tsx";

const jsonProps = { classNames: { input: "mono" }, autosize: true };

const example = JSON.stringify({ type: "invoice.paid", user: { id: "user-1" } }, null, 2);

/** The payload to try the mapping with: one that was received, or what was typed. */
function usePayload(source: Source) {
  const [received, setReceived] = useState(example);
  const [payload, setPayload, draft] = useDraftState(
    `payload:${source.id}`,
    received,
    { isAsked: false },
  );
  const choose = (text: string) => {
    draft.discard();
    setReceived(text);
  };
  return { payload, setPayload, choose };
}

/** The mapping as text. */
function useMappingForm(source: Source) {
  return useApiForm({
    draft: `mapping:${source.id}`,
    schema: "sourceEdit",
    resource: source,
    initialValues: { mapping: JSON.stringify(source.mapping ?? {}, null, 2) },
    toBody: ({ mapping }) => ({ mapping: parse(mapping) ?? mapping }),
  });
}

/** Shows what a mapping makes of a payload while both are edited. Nothing is stored. */
export function TryMapping({ source }: { source: Source }) {
  const { payload, setPayload, choose } = usePayload(source);
  const { form, submitTo, generalError, draft } = useMappingForm(source);
  const parsed = parse(form.values.mapping);
  const save = useApiAction(
    "PATCH /sources/{id}",
    (body: ApiBody<"PATCH /sources/{id}">) => ({ params: { id: source.id }, body }),
    { onSuccess: () => notifications.show({ message: "Mapping saved", color: "teal" }) },
  );
  const error = generalError(save.error);
  const mayEdit = useMay("admin");
  return (
    <Paper p="md">
      <DraftNotice draft={draft} />
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }}>
        <Stack gap="sm">
          <ReceivedPayload
            sourceId={source.id}
            isUntouched={payload === example}
            choose={choose}
          />
          <JsonInput
            {...jsonProps}
            minRows={6}
            maxRows={9}
            label="Payload"
            value={payload}
            onChange={setPayload}
          />
          <PayloadValueList
            payload={payload}
            mapping={readFields(parsed)}
            hasPreset={source.preset !== null}
            onChange={(next) => form.setFieldValue("mapping", JSON.stringify(next, null, 2))}
          />
        </Stack>
        <Stack gap="sm">
          <JsonInput
            {...jsonProps}
            minRows={12}
            maxRows={24}
            label="Mapping"
            description="Each field, and the place of its value in the payload"
            {...form.getInputProps("mapping")}
            error={parsed === undefined ? "Must be valid JSON" : form.errors.mapping}
          />
          {mayEdit && (
            <Group>
              <SaveButton
                isDirty={parsed !== undefined && draft.isDirty()}
                isPending={save.isPending}
                onSave={submitTo(save)}
              >
                Save mapping
              </SaveButton>
            </Group>
          )}
          {error && <ErrorState error={error} />}
        </Stack>
        <MappingResult source={source} payload={payload} mapping={parsed} />
      </SimpleGrid>
    </Paper>
  );
}

/** Returns undefined for invalid JSON. The api checks the mapping itself. */
function parse(text: string): Mapping | null | undefined {
  try {
    return JSON.parse(text.trim() || "null");
  } catch {
    return undefined;
  }
}

/** Returns the fields of a mapping; undefined if the text is not one. */
function readFields(parsed: Mapping | null | undefined): Mapping | undefined {
  if (parsed === null) return {};
  return typeof parsed === "object" && !Array.isArray(parsed) ? parsed : undefined;
}
