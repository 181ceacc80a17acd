import { Accordion, Group, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import type { DestinationForm } from "./use_destination_form.ts";
import { EventTypesInput } from "./event_types_input.tsx";

export function DestinationFields({ form }: { form: DestinationForm }) {
  const { value, onChange, error } = form.getInputProps("event_types");
  return (
    <Stack>
      <TextInput
        label="Name"
        placeholder="Warehouse"
        withAsterisk
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Address"
        description="Must accept POST over https, at a public address"
        placeholder="https://example.com/webhooks"
        withAsterisk
        classNames={{ input: "mono" }}
        {...form.getInputProps("url")}
      />
      <EventTypesInput value={value} onChange={onChange} error={error} />
      <Accordion variant="contained" chevronPosition="left">
        <Accordion.Item value="more">
          <Accordion.Control>Limits and notes</Accordion.Control>
          <Accordion.Panel>
            <Stack>
              <Group grow align="flex-start">
                <NumberInput
                  label="Requests per second"
                  description="Empty: no limit"
                  min={1}
                  {...form.getInputProps("rate_limit_per_second")}
                />
                <NumberInput
                  label="Concurrent requests"
                  description="10 unless you say otherwise"
                  min={1}
                  max={100}
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
