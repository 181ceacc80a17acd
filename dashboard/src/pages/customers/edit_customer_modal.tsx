import { Group, JsonInput, TextInput } from "@mantine/core";
import { customerEdit } from "../../api/schemas.ts";
import type { Customer } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { attributesPatch } from "./attributes_patch.ts";

interface EditCustomerModalProps {
  customer: Customer;
  isOpen: boolean;
  close: () => void;
}

const { attributes: _, ...profileSchemas } = customerEdit.shape;
const fieldNames = Object.keys(profileSchemas) as (keyof typeof profileSchemas)[];

export function EditCustomerModal({ customer, isOpen, close }: EditCustomerModalProps) {
  const save = useApiAction(
    "PATCH /customers/{id}",
    (body: ApiBody<"PATCH /customers/{id}">) => ({ params: { id: customer.id }, body }),
    { onSuccess: close },
  );
  const { form, submitTo, generalError } = useApiForm({
    schema: customerEdit,
    initialValues: {
      ...Object.fromEntries(fieldNames.map((field) => [field, customer[field] ?? ""])),
      attributes: JSON.stringify(customer.attributes, null, 2),
    } as Record<typeof fieldNames[number] | "attributes", string>,
    toBody: (values) => ({
      ...Object.fromEntries(fieldNames.map((field) => [field, textOrNull(values[field])])),
      attributes: attributesPatch(customer.attributes, values.attributes),
    }),
  });
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title="Edit customer"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      size="lg"
    >
      <Group grow>
        <TextInput label="First name" {...form.getInputProps("first_name")} />
        <TextInput label="Last name" {...form.getInputProps("last_name")} />
      </Group>
      <TextInput label="Email" type="email" {...form.getInputProps("email")} />
      <Group grow align="flex-start">
        <TextInput label="Phone" placeholder="+49 30 901820" {...form.getInputProps("phone")} />
        <TextInput label="Country" placeholder="DE" {...form.getInputProps("country")} />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label="Time zone"
          placeholder="Europe/Berlin"
          {...form.getInputProps("timezone")}
        />
        <TextInput label="Language" placeholder="de-DE" {...form.getInputProps("locale")} />
      </Group>
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
