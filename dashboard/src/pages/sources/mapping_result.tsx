import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { BeakerIcon } from "@primer/octicons-react";
import type { ApiResponse } from "../../api/api_client.ts";
import type { Source } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { JsonView } from "../../ui/code_view.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import type { Mapping } from "./payload_values.ts";

interface MappingResultProps {
  source: Source;
  payload: string;
  /** Undefined while its text is not JSON. */
  mapping: Mapping | null | undefined;
}

interface Tried {
  payload: string;
  mapping: Mapping | null;
}

type Result = ApiResponse<"POST /sources/{id}/test">["results"][number];

/** Tests a mapping: the entries that would be stored, and why others would not. */
export function MappingResult({ source, payload, mapping }: MappingResultProps) {
  const test = useApiAction(
    "POST /sources/{id}/test",
    (body: Tried) => ({ params: { id: source.id }, body }),
  );
  const { data, error, variables } = test;
  const isOld = variables !== undefined &&
    JSON.stringify(variables) !== JSON.stringify({ payload, mapping });
  return (
    <Stack gap="sm" component="section" aria-labelledby="mapping-result">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text size="sm" fw={500} id="mapping-result">Result</Text>
          <Text size="xs" c={isOld ? undefined : "dimmed"} fw={isOld ? 600 : undefined}>
            {isOld ? "Of an earlier payload or mapping" : "What would be stored"}
          </Text>
        </div>
        <Button
          size="xs"
          leftSection={<BeakerIcon size={14} />}
          disabled={mapping === undefined}
          loading={test.isPending}
          onClick={() => mapping !== undefined && test.mutate({ payload, mapping })}
        >
          Test
        </Button>
      </Group>
      <Stack gap="sm" aria-live="polite">
        {error && <ErrorState error={error} />}
        {!error && data === undefined && (
          <Text size="sm" c="dimmed">Test the mapping to see what it makes of the payload.</Text>
        )}
        {!error && data?.results.map((result, index) => <Entry key={index} result={result} />)}
        {!error && data?.results.length === 0 && (
          <Text size="sm" c="dimmed">Nothing would be stored.</Text>
        )}
      </Stack>
    </Stack>
  );
}

const kinds: Record<Result["kind"], [label: string, color: string]> = {
  entry: ["Stored", "green"],
  ignored: ["Ignored", "gray"],
  refused: ["Rejected", "red"],
};

function Entry({ result: { kind, entry, reason, error } }: { result: Result }) {
  const [label, color] = kinds[kind];
  const why = reason ?? error;
  return (
    <div>
      <Badge color={color} mb={6}>{label}</Badge>
      {why && <Text size="sm" mb={6} className="break-anywhere">{why}</Text>}
      {entry && <JsonView value={entry} label="Resulting entry" />}
    </div>
  );
}
