import { ActionIcon, Alert, Button, Group, Select, Stack, Text, Title } from "@mantine/core";
import { XIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Simulation } from "../../../api/types.ts";
import { type ApiBody, useApiAction } from "../../../api/use_api.ts";
import { useDraftState } from "../../../api/use_draft.ts";
import { useMay } from "../../../api/workspace.ts";
import { ErrorState } from "../../../ui/error_state.tsx";
import { CustomerFilter } from "../../events/customer_filter.tsx";
import { useEditor } from "../editor/use_editor.ts";
import { JsonField } from "../fields/json_field.tsx";
import { SimulatedPath } from "./simulated_path.tsx";

const dayMs = 86_400_000;
const lengths = [7, 30, 90, 365].map((days) => ({ value: `${days}`, label: `${days} days` }));

interface TestPanelProps {
  tested: Simulation | undefined;
  setTested: (simulation: Simulation | undefined) => void;
  close: () => void;
}

/** Runs the draft for one customer. Nothing is sent or stored. */
export function TestPanel({ tested, setTested, close }: TestPanelProps) {
  const { journey, saving, problems } = useEditor();
  const maySimulate = useMay("member");
  const [days, setDays] = useState("30");
  const [input, setInput] = useDraftState<TestInput>(
    `journey-test:${journey.id}`,
    noInput,
    { isAsked: false },
  );
  const change = (changes: TestInput) => setInput({ ...input, ...changes });
  const { customerId, profile = {}, trigger, events } = input;
  const simulate = useApiAction(
    "POST /journeys/{id}/simulate",
    () => ({
      params: { id: journey.id },
      // Fields as typed: the api explains what is wrong with them.
      body: {
        ...customerId ? { customer_id: customerId } : { profile },
        ...trigger === undefined ? {} : { trigger },
        ...events === undefined ? {} : { events },
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
      <InputFields input={input} change={change} />
      <Select
        label="For"
        data={lengths}
        value={days}
        onChange={(value) => setDays(value ?? "30")}
      />
      {simulate.error && <ErrorState error={simulate.error} />}
      <Button
        loading={simulate.isPending}
        disabled={!maySimulate || saving.state !== "saved"}
        onClick={() => simulate.mutate()}
      >
        Run the test
      </Button>
      {tested && <SimulatedPath simulation={tested} />}
    </Stack>
  );
}

/** The customer to test with, and the events; JSON fields as typed. */
interface TestInput {
  customerId?: string | undefined;
  profile?: unknown;
  trigger?: unknown;
  events?: unknown;
}

const noInput: TestInput = {};

interface InputFieldsProps {
  input: TestInput;
  change: (changes: TestInput) => void;
}

function InputFields({ input, change }: InputFieldsProps) {
  return (
    <>
      <CustomerFilter value={input.customerId} onChange={(id) => change({ customerId: id })} />
      {input.customerId === undefined && (
        <JsonField
          label="Or a made-up customer"
          placeholder='{ "email": "ada@example.com", "country": "GB" }'
          value={input.profile}
          onChange={(profile) => change({ profile })}
          minRows={2}
        />
      )}
      <JsonField
        label="Data of the trigger"
        description="For a customer who enters now"
        placeholder='{ "cart_id": "c-1" }'
        value={input.trigger}
        onChange={(trigger) => change({ trigger })}
        minRows={1}
      />
      <JsonField
        label="Events that happen"
        description="Without events, the customer enters at once"
        placeholder='[{ "name": "signed_up", "occurred_at": "2027-01-01T10:00:00Z" }]'
        value={input.events}
        onChange={(events) => change({ events })}
        minRows={2}
      />
    </>
  );
}
