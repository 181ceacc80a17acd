import { ActionIcon, Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { XIcon } from "@primer/octicons-react";
import { useRef, useState } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey, Simulation } from "../../../api/types.ts";
import { type ApiBody, useApiAction } from "../../../api/use_api.ts";
import { useDraftState } from "../../../api/use_draft.ts";
import { useMay } from "../../../api/workspace.ts";
import { ErrorState } from "../../../ui/error_state.tsx";
import { useEditor } from "../editor/use_editor.ts";
import { JsonField } from "../fields/json_field.tsx";
import { type ChangeInput, InputFields } from "./input_fields.tsx";
import { SimulatedPath } from "./simulated_path.tsx";
import { completeInput, isTestInput, startInput, type TestInput } from "./test_input.ts";
import { Select } from "../../../ui/overlays.tsx";

const dayMs = 86_400_000;
const lengths = [7, 30, 90, 365].map((days) => ({ value: `${days}`, label: `${days} days` }));

interface TestPanelProps {
  tested: Simulation | undefined;
  setTested: (simulation: Simulation | undefined) => void;
  close: () => void;
}

/** Runs the draft for one customer. Nothing is sent or stored. */
export function TestPanel({ tested, setTested, close }: TestPanelProps) {
  const { journey, definition, saving, problems } = useEditor();
  const maySimulate = useMay("member");
  const [days, setDays] = useState("30");
  const { input, setInput, change } = useTestInput(journey, definition);
  const isReadable = isTestInput(input);
  const [wantsJson, setJson] = useState(false);
  const simulate = useApiAction(
    "POST /journeys/{id}/simulate",
    () => ({
      params: { id: journey.id },
      body: {
        ...completeInput(input as TestInput),
        until: new Date(Date.now() + Number(days) * dayMs).toISOString(),
      } as ApiBody<"POST /journeys/{id}/simulate">,
    }),
    { onSuccess: setTested, onError: () => setTested(undefined) },
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h5">Test with a customer</Title>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the test" onClick={close}>
          <XIcon />
        </ActionIcon>
      </Group>
      <Text size="sm" c="dimmed">Follows the saved draft. Nothing is sent or stored.</Text>
      {problems.size > 0 && (
        <Alert color="yellow" p="xs">
          Fix the problems first: only a complete draft can be tested.
        </Alert>
      )}
      <ViewSwitch isJson={wantsJson || !isReadable} setJson={setJson} hasFields={isReadable} />
      {isReadable && !wantsJson ? <InputFields input={input} change={change} /> : (
        <JsonField
          label="Input"
          description="As the API takes it: customer_id or profile, events, trigger"
          value={input}
          onChange={(next = {}) => setInput(next)}
          error={isReadable ? undefined : "Must be an object with these fields"}
          minRows={6}
        />
      )}
      <Select
        label="Follow for"
        data={lengths}
        value={days}
        onChange={(value) => setDays(value ?? "30")}
      />
      {simulate.error && <ErrorState error={simulate.error} />}
      <Button
        loading={simulate.isPending}
        disabled={!maySimulate || saving.state !== "saved" || !isReadable}
        onClick={() => simulate.mutate()}
      >
        Run the test
      </Button>
      {tested && <SimulatedPath simulation={tested} />}
    </Stack>
  );
}

/** The input as typed, which a reload keeps. Changes build on each other. */
function useTestInput(journey: Journey, { trigger }: Definition) {
  const [input, setInput] = useDraftState<unknown>(
    `journey-test:${journey.id}`,
    startInput(trigger),
    { isAsked: false },
  );
  const latest = useRef(input);
  latest.current = input;
  const change: ChangeInput = (edit) => {
    latest.current = edit(latest.current as TestInput);
    setInput(latest.current);
  };
  return { input, setInput, change };
}

interface ViewSwitchProps {
  isJson: boolean;
  setJson: (isJson: boolean) => void;
  /** False for JSON that no field can show. */
  hasFields: boolean;
}

function ViewSwitch({ isJson, setJson, hasFields }: ViewSwitchProps) {
  return (
    <Button.Group aria-label="Input of the test">
      <Button
        variant={isJson ? "default" : "light"}
        size="xs"
        aria-pressed={!isJson}
        disabled={!hasFields}
        onClick={() => setJson(false)}
      >
        Fields
      </Button>
      <Button
        variant={isJson ? "light" : "default"}
        size="xs"
        aria-pressed={isJson}
        onClick={() => setJson(true)}
      >
        JSON
      </Button>
    </Button.Group>
  );
}
