import { Group, Text, UnstyledButton } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import type { CanvasFigures } from "../canvas/canvas_props.ts";
import { makeStepNamer } from "../model/describe_part.ts";
import { describeTrigger, describeWay, kindOf } from "../model/describe_step.ts";
import { PartTitle } from "../editor/part_title.tsx";
import { listInOrder } from "../model/list_steps.ts";
import type { NameOf } from "../model/name_of.ts";
import { edgeId, entryPart } from "../model/parts.ts";
import { type FilledSlot, listSlots, startSlot } from "../model/slots.ts";

interface LiveListProps {
  definition: Definition;
  nameOf: NameOf;
  /** Figures of the steps and ways, as the canvas shows them. */
  figures: CanvasFigures;
  selected: string | undefined;
  onSelect: (step: string) => void;
}

/** The steps of a journey with their figures, in the order of its paths: a canvas for phones. */
export function LiveList({ definition, nameOf, figures, selected, onSelect }: LiveListProps) {
  const order = listInOrder(definition);
  const nameStep = makeStepNamer({ definition, nameOf });
  const nameNumbered = (id: string) => `${order.indexOf(id) + 1}. ${nameStep(id)}`;
  const describe = ({ to, ...slot }: FilledSlot, label: string) => {
    const count = figures.ways.get(edgeId(slot)) ?? "0";
    const target = to === undefined ? "the end" : order.includes(to) ? nameNumbered(to) : to;
    return { way: slot.way, text: `${label || "then"} → ${target}`, count };
  };
  const start = { ...startSlot, to: definition.start || undefined };
  return (
    <ol className="step-list" aria-label="Steps with figures">
      <li className="step-item">
        <PartTitle
          kind="entry"
          title={`Trigger: ${describeTrigger(definition.trigger, nameOf)}`}
          text={figures.steps.get(entryPart)}
        />
        <WayRow {...describe(start, "")} />
      </li>
      {order.map((id) => {
        const step = definition.steps[id]!;
        return (
          <li key={id} className="step-item" data-selected={selected === id || undefined}>
            <UnstyledButton
              className="step-title"
              w="100%"
              onClick={() => onSelect(id)}
              aria-current={selected === id ? "step" : undefined}
            >
              <PartTitle
                kind={kindOf(step)}
                title={nameNumbered(id)}
                text={
                  <>
                    {figures.steps.get(id) ?? "0 reached"}
                    <span className="node-trouble">{figures.troubles.get(id)}</span>
                  </>
                }
              />
            </UnstyledButton>
            {listSlots(id, step).map((slot) => (
              <WayRow key={slot.way} {...describe(slot, describeWay(step, slot.way, nameOf))} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

/** A way out of a step, and how many have taken it. */
function WayRow({ text, count }: { text: string; count: string }) {
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" className="way-row">
      <Text size="sm" className="break-anywhere">{text}</Text>
      <Text size="sm" className="tabular">{count}</Text>
    </Group>
  );
}
