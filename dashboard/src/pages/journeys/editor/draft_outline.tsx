import { Text } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import {
  describeEnds,
  describeStep,
  describeTrigger,
  kindLabels,
  kindOf,
} from "../model/describe_step.ts";
import { listInOrder } from "../model/list_steps.ts";
import { useNames } from "../use_names.ts";
import { PartTitle } from "./part_title.tsx";

/** The steps of a draft, to read, named as the editor names them. */
export function DraftOutline({ definition }: { definition: Definition }) {
  const { nameOf } = useNames();
  const steps = listInOrder(definition).map((id, n) => {
    const step = definition.steps[id]!;
    const kind = kindOf(step);
    return {
      kind,
      title: `${n + 1}. ${kindLabels[kind]}: ${describeStep(step, nameOf)}`,
      text: <Text span ff="monospace" size="xs">{id}</Text>,
    };
  });
  const entry = {
    kind: "entry",
    title: "Trigger and entry",
    text: describeTrigger(definition.trigger, nameOf),
  };
  const ends = {
    kind: "ends",
    title: "Goal and exits",
    text: describeEnds(definition, nameOf) || "None",
  };
  return (
    <ol className="step-list" aria-label="Steps">
      {[entry, ...steps, ends].map(({ kind, title, text }) => (
        <li key={title} className="step-item">
          <PartTitle kind={kind} title={title} text={text} />
        </li>
      ))}
    </ol>
  );
}
