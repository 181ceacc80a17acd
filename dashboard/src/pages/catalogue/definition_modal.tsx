import {
  Checkbox,
  type CheckboxGroupProps,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { CataloguedEventDetails } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { toCatalogued } from "../../api/to_catalogued.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Select } from "../../ui/overlays.tsx";

type Body = ApiBody<"PATCH /catalogue/{name}">;

const statuses = [
  { value: "expected", label: "Expected" },
  { value: "unexpected", label: "Unexpected: it should not arrive" },
];

/** Describes an event name, and chooses which of its properties are expected. */
export function DefinitionModal(
  { event, ...dialog }: DialogProps & { event: CataloguedEventDetails },
) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: `catalogue:${event.name}`,
    schema: "eventDefinitionEdit",
    resource: event,
    readAs: { properties: "expected_properties" },
    initialValues: {
      description: event.description ?? "",
      owner: event.owner ?? "",
      status: event.status as string | null,
      hasExpectations: event.has_expectations,
      expected: event.property_list
        .filter(({ unexpected }) => !event.has_expectations || unexpected !== "property")
        .map(({ property }) => property),
    },
    toBody: ({ description, owner, status, hasExpectations, expected }) => ({
      description: textOrNull(description),
      owner: textOrNull(owner),
      status,
      properties: hasExpectations ? listExpected(event, expected) : null,
    }),
  });
  const save = useApiAction(
    "PATCH /catalogue/{name}",
    (body: Body) => ({ ...toCatalogued(event.name), body }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Describe event"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      draft={draft}
    >
      <Textarea
        label="Description"
        placeholder="When it happens, and who sends it"
        autosize
        minRows={2}
        data-autofocus
        {...form.getInputProps("description")}
      />
      <TextInput label="Owner" placeholder="Team or person" {...form.getInputProps("owner")} />
      <Select
        label="Status"
        placeholder="Not reviewed"
        data={statuses}
        clearable
        {...form.getInputProps("status")}
      />
      <Switch
        label="Mark unexpected properties"
        description="No event is refused. The catalogue shows what you did not expect."
        {...form.getInputProps("hasExpectations", { type: "checkbox" })}
      />
      {form.values.hasExpectations && (
        <ExpectedInput event={event} {...form.getInputProps("expected")} />
      )}
    </FormModal>
  );
}

function ExpectedInput(
  { event, ...props }: Omit<CheckboxGroupProps, "children"> & { event: CataloguedEventDetails },
) {
  return (
    <Checkbox.Group label="Expected properties" {...props}>
      <Stack gap={6} mt={6}>
        {event.property_list.map(({ property }) => (
          <Checkbox key={property} value={property} label={property} />
        ))}
        {event.property_list.length === 0 && (
          <Text size="sm" c="dimmed">No properties have been seen yet.</Text>
        )}
      </Stack>
    </Checkbox.Group>
  );
}

/** Returns the chosen properties, each with the type that all of its values have. */
function listExpected({ property_list }: CataloguedEventDetails, chosen: string[]) {
  return property_list.filter(({ property }) => chosen.includes(property)).map((row) => {
    const type = row.expected_type ?? (row.types.length === 1 ? row.types[0]!.type : undefined);
    return {
      property: row.property,
      ...type === undefined ? {} : { type },
      ...row.is_required ? { is_required: true } : {},
      ...row.description === null ? {} : { description: row.description },
    };
  });
}
