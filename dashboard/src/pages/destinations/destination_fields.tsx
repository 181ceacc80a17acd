import { outboundLimits } from "../../../../supabase/functions/api/contract/limits.ts";
import { Accordion, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { EventTypesInput } from "./event_types_input.tsx";
import { FilterField } from "./filter_field.tsx";
import { HeaderFields } from "./header_fields.tsx";
import type { DestinationForm } from "./use_destination_form.ts";
import { NumberInput } from "../../ui/overlays.tsx";

const { defaultConcurrency, maxConcurrency, maxRatePerSecond } = outboundLimits;
const advancedFields = ["rate_limit_per_second", "max_concurrency", "description"];

interface DestinationFieldsProps {
  form: DestinationForm;
  /** Error of the last attempt to save. */
  error: Error | null;
}

export function DestinationFields({ form, error: saveError }: DestinationFieldsProps) {
  const { value, onChange, error } = form.getInputProps("event_types");
  const [isOpen, setOpen] = useState(false);
  const hasAdvancedError = advancedFields.some((field) => form.errors[field]);
  return (
    <Stack>
      <TextInput
        label="Name"
        placeholder="Warehouse"
        withAsterisk
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Endpoint URL"
        description="A public HTTPS URL that accepts POST requests"
        placeholder="https://example.com/webhooks"
        withAsterisk
        classNames={{ input: "mono" }}
        {...form.getInputProps("url")}
        onBlur={() => form.setFieldValue("url", withScheme)}
      />
      <EventTypesInput value={value} onChange={onChange} error={error} />
      <FilterField form={form} error={saveError} />
      <HeaderFields form={form} />
      <Accordion
        variant="contained"
        chevronPosition="left"
        value={isOpen || hasAdvancedError ? "advanced" : null}
        onChange={(value) => setOpen(value !== null)}
      >
        <Accordion.Item value="advanced">
          <Accordion.Control fz="sm">Advanced</Accordion.Control>
          <Accordion.Panel>
            <Stack>
              <Group grow align="flex-start">
                <NumberInput
                  label="Requests per second"
                  description="Leave empty for no limit"
                  min={1}
                  max={maxRatePerSecond}
                  {...form.getInputProps("rate_limit_per_second")}
                />
                <NumberInput
                  label="Concurrent requests"
                  description={`Default: ${defaultConcurrency}`}
                  min={1}
                  max={maxConcurrency}
                  {...form.getInputProps("max_concurrency")}
                />
              </Group>
              <Textarea
                label="Description"
                autosize
                minRows={2}
                {...form.getInputProps("description")}
              />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

/** Adds the scheme to an address that was entered without one: "example.com/hooks". */
function withScheme(url: string): string {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?]|$)/.test(url.trim()) ? `https://${url.trim()}` : url;
}
