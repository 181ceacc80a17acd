import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { KindIcon } from "../editor/kind_icon.tsx";
import { type Described, describePart } from "../model/describe_part.ts";
import { kindOf } from "../model/describe_step.ts";

interface StepNameProps extends Described {
  /** A step, the entry or the ends. */
  part: string;
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
      <span className="icon-of-line">
        <KindIcon kind={kind} />
      </span>
      <div className="break-anywhere">
        <Text size="sm" fw={550}>{text}</Text>
        {step !== undefined && <Text size="xs" c="dimmed" ff="monospace">{part}</Text>}
        {children}
      </div>
    </Group>
  );
}
