import { JsonInput, SimpleGrid, TextInput } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { sortKeys } from "../../format/sort_keys.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { attributesPatch } from "./attributes_patch.ts";
import { type ProfileField, profileFieldNames, profileFields } from "./profile_fields.ts";

export function EditCustomerModal(
  { customer, ...dialog }: DialogProps & { customer: Customer },
) {
  const save = useApiAction(
    "PATCH /customers/{id}",
    (body: ApiBody<"PATCH /customers/{id}">) => ({ params: { id: customer.id }, body }),
    { onSuccess: dialog.close },
  );
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: `customer:${customer.id}`,
    schema: "customerEdit",
    initialValues: {
      ...Object.fromEntries(profileFieldNames.map((field) => [field, customer[field] ?? ""])),
      attributes: JSON.stringify(sortKeys(customer.attributes), null, 2),
    } as Record<ProfileField | "attributes", string>,
    toBody: (values) => ({
      ...Object.fromEntries(profileFieldNames.map((field) => [field, textOrNull(values[field])])),
      attributes: attributesPatch(customer.attributes, values.attributes),
    }),
  });
  return (
    <FormModal
      {...dialog}
      title="Edit customer"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      draft={draft}
      size="lg"
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {profileFieldNames.map((field) => (
          <TextInput
            key={field}
            label={profileFields[field].label}
            placeholder={profileFields[field].example}
            {...form.getInputProps(field)}
          />
        ))}
      </SimpleGrid>
      <JsonInput
        label="Attributes"
        description="JSON object. Removing a key deletes it from the customer"
        autosize
        minRows={4}
        maxRows={14}
        formatOnBlur
        classNames={{ input: "mono" }}
        {...form.getInputProps("attributes")}
      />
    </FormModal>
  );
}
