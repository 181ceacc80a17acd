import { Checkbox, TextInput } from "@mantine/core";
import type { Definition, Entry, Trigger } from "../../../api/journey_definition.ts";
import { useEditor } from "../editor/use_editor.ts";
import { setOrRemove } from "../model/slots.ts";
import { ConditionField } from "./condition_field.tsx";
import { DateFields } from "./date_fields.tsx";
import { DurationField } from "../../../ui/duration_field.tsx";
import { MatchedFields } from "./matched_fields.tsx";
import { ReferenceField } from "./reference_field.tsx";
import { useMessage } from "./use_message.ts";
import { WayField } from "./way_field.tsx";
import { NumberInput, Select } from "../../../ui/overlays.tsx";

const triggerOptions = [
  { value: "event", label: "Do something" },
  { value: "segment", label: "Enter or leave a segment" },
  { value: "date", label: "Reach a date in their profile" },
  { value: "api", label: "Only through the API" },
];
const emptyTriggers: Readonly<Record<string, Trigger>> = {
  event: { event: "" },
  segment: { segment: "", on: "enter" },
  date: { date: "attributes." },
  api: { api: true },
};

/** Entry of customers: the trigger, the rules of entry and the first step. */
export function EntryFields() {
  const { definition, change } = useEditor();
  const { trigger } = definition;
  const kind = Object.keys(emptyTriggers).find((name) => name in trigger) ?? "api";
  const set = (changed: Trigger, field?: string) =>
    change(withTrigger(definition, changed), field ? { field: `trigger.${field}` } : {});
  return (
    <>
      <Select
        label="Customers enter when they"
        data={triggerOptions}
        value={kind}
        onChange={(choice) => set(emptyTriggers[choice ?? "event"]!)}
        allowDeselect={false}
      />
      <TriggerFields trigger={trigger} onChange={set} />
      <WayField slot={{ step: null, way: "start" }} label="First step" path={["start"]} />
      <RuleFields />
    </>
  );
}

/** Removes rules of entry that the new trigger does not allow. */
function withTrigger(definition: Definition, trigger: Trigger): Definition {
  const { entry = {} } = definition;
  const hasData = "event" in trigger || "api" in trigger;
  const isEnter = "segment" in trigger && trigger.on === "enter";
  const kept = { ...entry };
  if (!hasData) delete kept.key;
  if (!isEnter) delete kept.include_current;
  return setEntry({ ...definition, trigger }, kept);
}

function setEntry(definition: Definition, entry: Entry): Definition {
  const isEmpty = Object.keys(entry).length === 0;
  return setOrRemove(definition, "entry", isEmpty ? undefined : entry);
}

interface TriggerFieldsProps {
  trigger: Trigger;
  onChange: (trigger: Trigger, field?: string) => void;
}

const onOptions = [
  { value: "enter", label: "They enter it" },
  { value: "leave", label: "They leave it" },
];

function TriggerFields({ trigger, onChange }: TriggerFieldsProps) {
  const message = useMessage();
  if ("event" in trigger) {
    return <MatchedFields value={trigger} onChange={onChange} path={["trigger"]} hasNoRun />;
  }
  if ("segment" in trigger) {
    return (
      <>
        <ReferenceField
          kind="segment"
          label="Segment"
          value={trigger.segment}
          onChange={(segment = "") => onChange({ ...trigger, segment })}
          error={message("trigger", "segment")}
          isRequired
        />
        <Select
          label="When"
          data={onOptions}
          value={trigger.on}
          onChange={(on) => onChange({ ...trigger, on: on === "leave" ? on : "enter" })}
          allowDeselect={false}
        />
      </>
    );
  }
  if (!("date" in trigger)) return null;
  return (
    <DateFields
      value={trigger}
      onChange={onChange}
      path={["trigger"]}
      description="attributes.<path> or created_at"
    />
  );
}

const againOptions = [
  { value: "never", label: "Once" },
  { value: "after_exit", label: "Again after they leave" },
  { value: "after", label: "Again after a time" },
  { value: "always", label: "Always, also while inside" },
];

function RuleFields() {
  const { definition, change } = useEditor();
  const message = useMessage();
  const { entry = {}, trigger } = definition;
  const set = (name: keyof Entry, value: unknown) =>
    change(setEntry(definition, setOrRemove(entry, name, value as never)), {
      field: `entry.${name}`,
    });
  const again = typeof entry.again === "object" ? "after" : entry.again ?? "never";
  const hasData = "event" in trigger || "api" in trigger;
  return (
    <>
      <ConditionField
        label="Only customers who meet a condition"
        description="Otherwise everyone enters"
        value={entry.when}
        onChange={(condition) => set("when", condition)}
        error={message("entry", "when")}
      />
      <Select
        label="How often"
        data={againOptions}
        value={again}
        onChange={(choice) =>
          set(
            "again",
            choice === "after" ? { after: "30d" } : choice === "never" ? undefined : choice,
          )}
        allowDeselect={false}
        error={message("entry", "again")}
      />
      {typeof entry.again === "object" && (
        <DurationField
          label="Time since the last entry"
          value={entry.again.after}
          onChange={(after = "") => set("again", { after })}
          error={message("entry", "again", "after")}
          isRequired
        />
      )}
      {hasData && (
        <TextInput
          label="One run per"
          description="Runs with different values continue side by side. Leave empty for one per customer"
          placeholder="trigger.cart_id"
          value={entry.key ?? ""}
          onChange={(event) => set("key", event.currentTarget.value || undefined)}
          error={message("entry", "key")}
        />
      )}
      <NumberInput
        label="Holdout, per cent"
        description="This share enters and leaves immediately, for comparison"
        value={entry.holdout ?? ""}
        min={0}
        max={100}
        decimalScale={2}
        onChange={(value) => set("holdout", value === "" ? undefined : Number(value))}
        error={message("entry", "holdout")}
      />
      {"segment" in trigger && trigger.on === "enter" && (
        <Checkbox
          label="Current members enter too"
          checked={entry.include_current ?? false}
          onChange={(event) => set("include_current", event.currentTarget.checked || undefined)}
        />
      )}
    </>
  );
}
