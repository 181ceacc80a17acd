import { ActionIcon, Group, Stack, Table, Text, Title } from "@mantine/core";
import { XIcon } from "@primer/octicons-react";
import { useEffect, useRef } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Rehearsal } from "../../../api/types.ts";
import { countOf, formatCount, formatShare } from "../../../format/numbers.ts";
import { TimeAgo } from "../../../ui/time_ago.tsx";
import { CustomerLink } from "../../customers/customer_link.tsx";
import { KindIcon } from "../editor/kind_icon.tsx";
import { describeStep, describeTrigger, kindLabels, kindOf } from "../model/describe_step.ts";
import type { NameOf } from "../model/name_of.ts";
import { entryPart } from "../model/parts.ts";
import {
  readRehearsedPart,
  type RehearsedExample,
  type RehearsedPart,
} from "../model/rehearsed_part.ts";
import { StepName } from "../publish/step_name.tsx";

interface StepPanelProps {
  part: string;
  result: Rehearsal;
  nameOf: NameOf;
  /** Counts how often the focus was asked to move here. */
  asked: number;
  close: () => void;
}

/** A step of a rehearsal: who came, which way they went, and some of them by name. */
export function StepPanel({ part, result, nameOf, asked, close }: StepPanelProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (asked > 0) title.current?.focus({ preventScroll: true });
  }, [asked]);
  const definition = result.definition as Definition;
  const step = definition.steps[part];
  const text = step === undefined
    ? describeTrigger(definition.trigger, nameOf)
    : describeStep(step, nameOf);
  const read = readRehearsedPart(part, result, nameOf);
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h5" ref={title} tabIndex={-1} className="panel-title">
          <Group gap="xs" wrap="nowrap" component="span">
            <KindIcon kind={step === undefined ? "entry" : kindOf(step)} />
            {step === undefined ? "Trigger" : kindLabels[kindOf(step)]}
          </Group>
        </Title>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the step" onClick={close}>
          <XIcon />
        </ActionIcon>
      </Group>
      <div className="break-anywhere">
        <Text size="sm" fw={550}>{text}</Text>
        {step !== undefined && <Text size="xs" c="dimmed">{part}</Text>}
      </div>
      <Figures part={part} read={read} />
      <Ways read={read} definition={definition} nameOf={nameOf} />
      <Examples examples={read.examples} />
    </Stack>
  );
}

function Figures({ part, read: { came, figures } }: { part: string; read: RehearsedPart }) {
  return (
    <div>
      <Text fz={22} fw={650} className="tabular">{countOf(came, "customer")}</Text>
      <Text size="sm" c="dimmed">
        would have {part === entryPart ? "entered" : "reached this step"}
      </Text>
      {figures.length > 0 && (
        <Stack gap={2} mt="xs" component="ul" className="plain-list" m={0} p={0}>
          {figures.map(([label, count]) => (
            <Group key={label} component="li" justify="space-between" wrap="nowrap">
              <Text size="sm">{label}</Text>
              <Text size="sm" className="tabular">{formatCount(count)}</Text>
            </Group>
          ))}
        </Stack>
      )}
    </div>
  );
}

interface WaysProps {
  read: RehearsedPart;
  definition: Definition;
  nameOf: NameOf;
}

function Ways({ read: { came, ways }, definition, nameOf }: WaysProps) {
  if (ways.length === 0) return null;
  return (
    <Table aria-label="Ways" verticalSpacing={6} horizontalSpacing={0}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Continued to</Table.Th>
          <Table.Th scope="col" ta="right">Customers</Table.Th>
          <Table.Th scope="col" ta="right" pl="sm">Share</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ways.map(({ label, to, count }, n) => (
          <Table.Tr key={n}>
            <Table.Td>
              {label !== "" && <Text size="xs" c="dimmed" className="break-anywhere">{label}</Text>}
              {to === undefined
                ? <Text size="sm">The end</Text>
                : <StepName part={to} definition={definition} nameOf={nameOf} />}
            </Table.Td>
            <Table.Td ta="right" className="tabular">{formatCount(count)}</Table.Td>
            <Table.Td ta="right" pl="sm" className="tabular">{formatShare(count, came)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Examples({ examples }: { examples: readonly RehearsedExample[] }) {
  return (
    <section aria-label="Examples at this step">
      <Title order={3} size="h6" mb={4}>Examples</Title>
      {examples.length === 0 && (
        <Text size="sm" c="dimmed">None of the examples reached this step.</Text>
      )}
      <Stack gap="xs" component="ul" className="plain-list" m={0} p={0}>
        {examples.map(({ customerId, at, text }, n) => (
          <li key={n}>
            <Group gap="xs">
              <CustomerLink customerId={customerId} />
              <Text size="sm" className="break-anywhere">{text}</Text>
              {at !== null && (
                <Text size="xs" c="dimmed" component="span">
                  <TimeAgo time={at} />
                </Text>
              )}
            </Group>
          </li>
        ))}
      </Stack>
    </section>
  );
}
