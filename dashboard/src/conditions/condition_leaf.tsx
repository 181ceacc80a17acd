import { Text } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { describeCondition } from "./describe.ts";
import { contextPrefix } from "./draft.ts";
import { EventLeaf } from "./event_leaf.tsx";
import { type Fault, formatPath, type Path, useFaults } from "./faults.ts";
import { ContextTestInput, FieldLeaf, type LeafProps, PropertyTestInput } from "./field_leaf.tsx";
import { BucketLeaf, JourneyLeaf, SegmentLeaf, TopicLeaf } from "./reference_leaves.tsx";
import { useSettings } from "./settings.ts";

/** A part of the builder, with the buttons for it as a whole. */
export interface PartProps extends LeafProps {
  header: ReactNode;
}

/** A condition without others inside. */
export function ConditionLeaf({ draft, path, onChange, header }: PartProps) {
  const { nameOf } = useSettings();
  const element = useRef<HTMLDivElement>(null);
  useFocusWhenNew(path, element);
  const faults = useFaults(path);
  return (
    <div
      ref={element}
      className={faults.length > 0 ? "condition-leaf has-fault" : "condition-leaf"}
      role="group"
      aria-label={describeCondition(draft, nameOf) || "Condition"}
    >
      <div className="condition-leaf-line">
        <div className="condition-row">
          <LeafFields draft={draft} path={path} onChange={onChange} />
        </div>
        <div className="condition-tools">{header}</div>
      </div>
      <Faults faults={faults} path={path} />
    </div>
  );
}

function LeafFields(props: LeafProps) {
  const { options, event } = useSettings();
  const { draft } = props;
  if ("event" in draft) return <EventLeaf {...props} />;
  if ("segment" in draft) return <SegmentLeaf {...props} />;
  if ("topic" in draft) return <TopicLeaf {...props} />;
  if ("journey" in draft) return <JourneyLeaf {...props} />;
  if ("bucket" in draft) return <BucketLeaf {...props} />;
  if ("property" in draft) return <PropertyTestInput {...props} event={event} />;
  if (String(draft.field).startsWith(contextPrefix)) return <ContextTestInput {...props} />;
  return <FieldLeaf {...props} allowsTrigger={options.allowsTrigger} />;
}

/** A fault of a draft, or of the api's response. */
type ShownFault = Fault & { isMissing?: boolean };

/** Shows faults with the place inside the condition that they name. */
export function Faults({ faults, path }: { faults: readonly ShownFault[]; path: Path }) {
  if (faults.length === 0) return null;
  return (
    <div role="alert">
      {faults.map((fault, index) => (
        <Text key={index} size="xs" c="red" className="break-anywhere">
          {describeFault(fault, path)}
        </Text>
      ))}
    </div>
  );
}

/** Parts of a condition that are chosen from a list. */
const chosenParts: ReadonlySet<string> = new Set([
  "event",
  "field",
  "journey",
  "property",
  "segment",
  "topic",
]);

function describeFault({ path, message, isMissing }: ShownFault, at: Path): string {
  const place = formatPath(path.slice(at.length)).replaceAll("_", " ");
  if (isMissing && (place === "all" || place === "any")) return "Add at least one condition";
  const name = String(path.at(-1)).replaceAll("_", " ");
  if (isMissing && chosenParts.has(name)) {
    return `Choose ${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
  }
  const sentence = place === "" ? `This ${message}` : `${place} ${message}`;
  return sentence[0]?.toUpperCase() + sentence.slice(1);
}

/** Moves the focus into a condition that was just added. */
export function useFocusWhenNew(
  path: Path,
  element: RefObject<HTMLElement | null>,
): void {
  const { focus } = useSettings();
  useEffect(() => {
    if (focus.current !== formatPath(path)) return;
    focus.current = null;
    element.current?.querySelector<HTMLElement>("input, button")?.focus();
  });
}
