import { Badge, Button, Group, JsonInput, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { BeakerIcon } from "@primer/octicons-react";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { ApiResponse } from "../../api/api_client.ts";
import type { Source } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { PayloadValueList } from "./payload_value_list.tsx";
import type { Mapping } from "./payload_values.ts";
import { ReceivedPayload } from "./received_payload.tsx";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { JsonView } from "../../ui/code_view.tsx";
import { useMay } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";

const jsonProps = { classNames: { input: "mono" }, autosize: true, minRows: 8, maxRows: 18 };

const example = JSON.stringify({ type: "invoice.paid", user: { id: "user-1" } }, null, 2);

/** The payload to try the mapping with: one that was received, or what was typed. */
function usePayload(source: Source) {
  const [received, setReceived] = useState(example);
  const [payload, setPayload, draft] = useDraftState(
    `payload:${source.id}`,
    received,
    { isAsked: false },
  );
  const choose = (text: string) => {
    draft.discard();
    setReceived(text);
  };
  return { payload, setPayload, choose };
}

/** The mapping as text: the saved one, or what was typed. */
function useMappingText({ id, mapping }: Source) {
  const saved = JSON.stringify(mapping ?? {}, null, 2);
  const [text, setText, draft] = useDraftState(`mapping:${id}`, saved);
  const parsed = parse(text);
  const isChanged = parsed !== undefined && JSON.stringify(parsed) !== JSON.stringify(mapping);
  return { text, setText, draft, parsed, isChanged };
}

/** Shows the entries that a mapping makes of a payload, without storing them. */
export function TryMapping({ source }: { source: Source }) {
  const { payload, setPayload, choose } = usePayload(source);
  const { text, setText, draft, parsed, isChanged } = useMappingText(source);
  const params = { id: source.id };
  const attempt = useApiAction(
    "POST /sources/{id}/test",
    () => ({ params, body: { payload, mapping: parsed ?? null } }),
  );
  const body = { mapping: parsed ?? null };
  const save = useApiAction("PATCH /sources/{id}", () => ({ params, body }), {
    onSuccess: () => {
      draft.forget();
      notifications.show({ message: "Mapping saved", color: "teal" });
    },
  });
  const error = attempt.error ?? save.error;
  const mayEdit = useMay("admin");
  return (
    <Paper p="md">
      <DraftNotice draft={draft} />
      <ReceivedPayload sourceId={source.id} choose={choose} />
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        <Stack>
          <JsonInput
            {...jsonProps}
            label="Payload"
            value={payload}
            onChange={setPayload}
          />
          <PayloadValueList
            payload={payload}
            mapping={readFields(parsed)}
            hasPreset={source.preset !== null}
            onChange={(next) => setText(JSON.stringify(next, null, 2))}
          />
        </Stack>
        <JsonInput
          {...jsonProps}
          label="Mapping"
          value={text}
          onChange={setText}
          error={parsed === undefined && "Must be valid JSON"}
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
          disabled={parsed === undefined}
          loading={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          Test
        </Button>
      </Group>
      {error && <ErrorState error={error} />}
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
function parse(text: string): Mapping | null | undefined {
  try {
    return JSON.parse(text.trim() || "null");
  } catch {
    return undefined;
  }
}

/** Returns the fields of a mapping; undefined if the text is not one. */
function readFields(parsed: Mapping | null | undefined): Mapping | undefined {
  if (parsed === null) return {};
  return typeof parsed === "object" && !Array.isArray(parsed) ? parsed : undefined;
}
