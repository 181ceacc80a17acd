import { Badge, Button, Group, JsonInput, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { BeakerIcon } from "@primer/octicons-react";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { ApiResponse } from "../../api/api_client.ts";
import type { Source } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { ReceivedPayload } from "./received_payload.tsx";
import { JsonView } from "../../ui/code_view.tsx";
import { useMay } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";

type Mapping = ApiBody<"POST /sources/{id}/test">["mapping"];

const example = JSON.stringify({ type: "invoice.paid", user: { id: "user-1" } }, null, 2);

/** Shows the entries that a mapping makes of a payload, without storing them. */
export function TryMapping({ source }: { source: Source }) {
  const [payload, setPayload] = useState(example);
  const [mapping, setMapping] = useState(JSON.stringify(source.mapping ?? {}, null, 2));
  const draft = parse(mapping);
  const attempt = useApiAction("POST /sources/{id}/test", () => ({
    params: { id: source.id },
    body: { payload, mapping: draft ?? null },
  }));
  const save = useApiAction("PATCH /sources/{id}", () => ({
    params: { id: source.id },
    body: { mapping: draft ?? null },
  }), { onSuccess: () => notifications.show({ message: "Mapping saved", color: "teal" }) });
  const mayEdit = useMay("admin");
  const isChanged = draft !== undefined && JSON.stringify(draft) !== JSON.stringify(source.mapping);
  return (
    <Paper p="md">
      <ReceivedPayload sourceId={source.id} choose={setPayload} />
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        <JsonInput
          label="Payload"
          classNames={{ input: "mono" }}
          autosize
          minRows={8}
          maxRows={18}
          value={payload}
          onChange={setPayload}
        />
        <JsonInput
          label="Mapping"
          classNames={{ input: "mono" }}
          autosize
          minRows={8}
          maxRows={18}
          value={mapping}
          onChange={setMapping}
          error={draft === undefined && "Must be valid JSON"}
        />
      </SimpleGrid>
      <Group justify="flex-end" mb="md">
        {mayEdit && (
          <Button
            variant="default"
            disabled={!isChanged}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Save mapping
          </Button>
        )}
        <Button
          leftSection={<BeakerIcon />}
          disabled={draft === undefined}
          loading={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          Test
        </Button>
      </Group>
      {attempt.error && <ErrorState error={attempt.error} />}
      {save.error && <ErrorState error={save.error} />}
      <Results results={attempt.data?.results ?? []} />
    </Paper>
  );
}

interface ResultsProps {
  results: ApiResponse<"POST /sources/{id}/test">["results"];
}

function Results({ results }: ResultsProps) {
  return (
    <Stack aria-live="polite">
      {results.map((result, index) => (
        <div key={index}>
          <Badge color={kindColors[result.kind]} mb={4}>{result.kind}</Badge>
          {result.entry && <JsonView value={result.entry} label="Resulting entry" />}
          <Text size="sm">{result.reason ?? result.error}</Text>
        </div>
      ))}
    </Stack>
  );
}

const kindColors = { entry: "green", ignored: "gray", refused: "red" } as const;

/** Returns undefined for invalid JSON. The api checks the mapping itself. */
function parse(text: string): Mapping | undefined {
  try {
    return JSON.parse(text.trim() || "null");
  } catch {
    return undefined;
  }
}
