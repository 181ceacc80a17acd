import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import type { Definition } from "../../api/journey_definition.ts";
import { Autocomplete, Select } from "../../ui/overlays.tsx";

const triggerOptions = [
  { value: "event", label: "When they do something" },
  { value: "api", label: "Only through the API" },
];

/** Path of the event in the request. */
const eventPath = "definition.trigger.event";

/** Creates a journey with one step, which the editor then changes. */
export function NewJourneyModal(dialog: DialogProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const { seen } = useEventTypes();
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "journey:new",
    schema: "newJourney",
    initialValues: { name: "", key: "", kind: "event" as string, event: "" },
    toBody: ({ name, key, kind, event }) => ({
      name,
      key: textOrNull(key),
      definition: makeDefinition(kind === "event" ? { event: event.trim() } : { api: true }),
    }),
    check: checkEvent,
  });
  const create = useApiAction("POST /journeys", (body: ApiBody<"POST /journeys">) => ({ body }), {
    onSuccess: ({ id }) =>
      void navigate({
        to: "/w/$workspaceId/journeys/$journeyId",
        params: { workspaceId, journeyId: id },
      }),
  });
  return (
    <FormModal
      {...dialog}
      title="New journey"
      submitLabel="Create journey"
      onSubmit={submitTo(create)}
      isPending={create.isPending}
      error={generalError(create.error)}
      draft={draft}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Key"
        description="Identifies the journey in conditions and in the API"
        placeholder="welcome"
        {...form.getInputProps("key")}
      />
      <Select
        label="Customers enter"
        description="You can choose segments and dates in the editor"
        data={triggerOptions}
        allowDeselect={false}
        {...form.getInputProps("kind")}
      />
      {form.values.kind === "event" && (
        <Autocomplete
          label="Event"
          placeholder="signed_up"
          data={seen}
          withAsterisk
          {...form.getInputProps("event")}
          error={form.errors.event ?? form.errors[eventPath]}
          onChange={(event) => {
            form.setFieldValue("event", event);
            form.clearFieldError(eventPath);
          }}
        />
      )}
    </FormModal>
  );
}

/** Finds an event that is missing. */
function checkEvent({ kind, event }: { kind: string; event: string }): Record<string, string> {
  return kind === "event" && event.trim() === "" ? { event: "Choose an event" } : {};
}

function makeDefinition(trigger: Definition["trigger"]): Definition {
  return { trigger, start: "end", steps: { end: { exit: {} } } };
}
