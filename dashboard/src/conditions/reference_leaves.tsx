import { TextInput } from "@mantine/core";
import { journeyStates } from "../api/condition_rules.ts";
import { OperatorSelect } from "./operator_select.tsx";
import { useReferences } from "./use_references.ts";
import type { LeafProps } from "./field_leaf.tsx";
import { useHasFault } from "./faults.ts";
import { NumberInput, Select } from "../ui/overlays.tsx";

/** Membership of another segment. */
export function SegmentLeaf({ draft, path, onChange }: LeafProps) {
  return (
    <>
      <span>is in segment</span>
      <ReferenceSelect kind="segment" draft={draft} path={path} onChange={onChange} />
    </>
  );
}

const topicOptions = [
  { value: "true", label: "is subscribed to" },
  { value: "false", label: "is not subscribed to" },
];

/** Subscription to a topic. */
export function TopicLeaf({ draft, path, onChange }: LeafProps) {
  return (
    <>
      <OperatorSelect
        aria-label="Subscription"
        data={topicOptions}
        value={String(draft.subscribed ?? true)}
        onChange={(next) => onChange({ ...draft, subscribed: next !== "false" })}
      />
      <ReferenceSelect kind="topic" draft={draft} path={path} onChange={onChange} />
    </>
  );
}

const stateLabels: Record<(typeof journeyStates)[number], string> = {
  active: "is in journey",
  completed: "has completed journey",
  ever: "has ever entered journey",
};

/** State of the customer's runs in a journey. */
export function JourneyLeaf({ draft, path, onChange }: LeafProps) {
  const hasFault = useHasFault(path);
  return (
    <>
      <OperatorSelect
        aria-label="State"
        data={journeyStates.map((state) => ({ value: state, label: stateLabels[state] }))}
        value={typeof draft.state === "string" ? draft.state : null}
        onChange={(state) => onChange({ ...draft, state })}
        error={hasFault("state")}
      />
      <ReferenceSelect kind="journey" draft={draft} path={path} onChange={onChange} />
    </>
  );
}

interface ReferenceSelectProps extends LeafProps {
  kind: "segment" | "topic" | "journey";
}

const labels = { segment: "Segment", topic: "Topic", journey: "Journey" };

/** Chooses a resource by name. Stores its ID; a key that was written stays. */
function ReferenceSelect({ kind, draft, path, onChange }: ReferenceSelectProps) {
  const hasFault = useHasFault(path);
  const references = useReferences(kind);
  const written = String(draft[kind] ?? "");
  const found = references.find(({ id, key }) => id === written || key === written);
  const isUnknown = found === undefined && written !== "";
  const options = references.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      aria-label={labels[kind]}
      className="condition-path"
      placeholder={`Choose a ${kind}`}
      data={isUnknown ? [...options, { value: written, label: written }] : options}
      value={found?.id ?? (written || null)}
      onChange={(next: string | null) => onChange({ ...draft, [kind]: next ?? "" })}
      allowDeselect={false}
      searchable
      nothingFoundMessage={`No ${kind} found`}
      error={hasFault(kind)}
    />
  );
}

/** A stable share of all customers. */
export function BucketLeaf({ draft, path, onChange }: LeafProps) {
  const hasFault = useHasFault(path);
  const percent = (name: "from" | "to") => (
    <NumberInput
      aria-label={name === "from" ? "From per cent" : "To per cent"}
      className="condition-number"
      value={typeof draft[name] === "number" ? draft[name] as number : ""}
      onChange={(next) =>
        onChange({ ...draft, [name]: typeof next === "number" ? next : undefined })}
      min={0}
      max={100}
      decimalScale={2}
      suffix="%"
      hideControls
      error={hasFault(name)}
    />
  );
  return (
    <>
      <span>is between</span>
      {percent("from")}
      <span>and</span>
      {percent("to")}
      <span>of experiment</span>
      <TextInput
        aria-label="Experiment"
        className="condition-value"
        value={typeof draft.bucket === "string" ? draft.bucket : ""}
        onChange={(event) => onChange({ ...draft, bucket: event.currentTarget.value })}
        error={hasFault("bucket")}
      />
    </>
  );
}
