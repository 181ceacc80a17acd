import { Badge, Button, Group, JsonInput, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { BeakerIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Source } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { JsonView } from "../../ui/code_view.tsx";
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
  return (
    <Paper p="md">
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
      <Stack aria-live="polite">
        {attempt.data?.results.map((result, index) => (
          <div key={index}>
            <Badge color={kindColors[result.kind]} mb={4}>{result.kind}</Badge>
            {result.entry && <JsonView value={result.entry} label="Resulting entry" />}
            <Text size="sm">{result.reason ?? result.error}</Text>
          </div>
        ))}
      </Stack>
    </Paper>
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
