import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useApi } from "../../api/use_api.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { SuggestInput } from "../../ui/filters.tsx";
import type { SampleData } from "./use_sample_data.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

/** Identifies and aliases stand between events. */
const readCount = 50;

interface SampleDataFieldsProps {
  sample: SampleData;
  customerId: string | undefined;
}

/** Edits the sample data, or takes the properties of a real event. */
export function SampleDataFields({ sample, customerId }: SampleDataFieldsProps) {
  const api = useApi();
  const names = useEventTypes().seen;
  const [name, setName] = useState<string>();
  const newest = useSingleMutation({
    mutationFn: async () => {
      const query = { limit: readCount, ...name ? { name } : {}, customer_id: customerId };
      const { data } = await api.call("GET /events", { query });
      return data.find(({ kind }) => kind === "event");
    },
    onSuccess: (event) => event && sample.setText(JSON.stringify(event.properties, null, 2)),
  });
  return (
    <Stack gap="xs">
      <Textarea
        label="Sample data"
        description="JSON of the variable trigger: the properties of an event, or data of the call"
        placeholder='{ "order": 7 }'
        classNames={{ input: "mono" }}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={sample.text}
        onChange={(event) => sample.setText(event.currentTarget.value)}
        error={sample.isInvalid && "Sample data must be a JSON object"}
      />
      <Group gap="xs">
        <SuggestInput
          aria-label="Event name"
          placeholder="Any event"
          data={names}
          value={name}
          onChange={setName}
        />
        <Button
          size="sm"
          variant="default"
          loading={newest.isPending}
          onClick={() => newest.mutate()}
        >
          Use the newest event
        </Button>
      </Group>
      {newest.error && <ErrorState error={newest.error} />}
      {newest.isSuccess && newest.data === undefined && (
        <Text size="xs" c="dimmed" role="status">No event has this name.</Text>
      )}
    </Stack>
  );
}
