import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import { KindIcon } from "../editor/kind_icon.tsx";
import { describeStep, describeTrigger, kindLabels, kindOf } from "../model/describe_step.ts";
import type { NameOf } from "../model/name_of.ts";
import { endsPart, entryPart } from "../model/parts.ts";

interface StepNameProps {
  /** A step, the entry or the ends. */
  part: string;
  /** Left out until it has loaded. */
  definition: Definition | undefined;
  nameOf: NameOf;
  /** Stands below the name. */
  children?: ReactNode;
}

/** A part of a journey as the canvas names it. */
export function StepName({ part, definition, nameOf, children }: StepNameProps) {
  const step = definition?.steps[part];
  const kind = step === undefined ? part.replace("@", "") : kindOf(step);
  const text = describePart(part, { definition, nameOf });
  if (text === undefined) return <span className="break-anywhere">{part}</span>;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <KindIcon kind={kind} />
      <div className="break-anywhere">
        <Text size="sm" fw={550}>{text}</Text>
        {step !== undefined && <Text size="xs" c="dimmed">{part}</Text>}
        {children}
      </div>
    </Group>
  );
}

type Described = Pick<StepNameProps, "definition" | "nameOf">;

/** Describes a part in a few words; undefined for one that does not exist. */
function describePart(part: string, { definition, nameOf }: Described): string | undefined {
  if (part === endsPart) return "Goal and exits";
  if (definition === undefined) return undefined;
  if (part === entryPart) return `Trigger: ${describeTrigger(definition.trigger, nameOf)}`;
  const step = definition.steps[part];
  return step && `${kindLabels[kindOf(step)]}: ${describeStep(step, nameOf)}`;
}
