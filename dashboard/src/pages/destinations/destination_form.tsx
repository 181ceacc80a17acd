import { outboundLimits } from "../../../../supabase/functions/api/contract/limits.ts";
import { Accordion, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { EventTypesInput } from "./event_types_input.tsx";
import type { Destination } from "../../api/types.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { NumberInput } from "../../ui/overlays.tsx";

const { defaultConcurrency, maxConcurrency, maxRatePerSecond } = outboundLimits;
const advancedFields = ["rate_limit_per_second", "max_concurrency", "description"];

export function DestinationFields({ form }: { form: DestinationForm }) {
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

/** The form of a destination, or of a new one. */
export function useDestinationForm(destination?: Destination) {
  return useApiForm({
    draft: `destination:${destination?.id ?? "new"}`,
    schema: "newDestination",
    initialValues: {
      name: destination?.name ?? "",
      url: destination?.url ?? "",
      event_types: destination?.event_types ?? ["*"],
      description: destination?.description ?? "",
      rate_limit_per_second: (destination?.rate_limit_per_second ?? "") as number | "",
      max_concurrency: (destination?.max_concurrency ?? defaultConcurrency) as number | "",
    },
    toBody: (values) => ({
      name: values.name,
      url: values.url.trim(),
      event_types: values.event_types,
      description: textOrNull(values.description),
      rate_limit_per_second: values.rate_limit_per_second || null,
      max_concurrency: values.max_concurrency || defaultConcurrency,
    }),
  });
}

export type DestinationForm = ReturnType<typeof useDestinationForm>["form"];
