import { Checkbox, Group, TextInput } from "@mantine/core";
import {
  type DateRule,
  type TimeOfDayRule,
  type WaitForStep,
  type WaitStep,
  weekdays,
} from "../../../api/journey_definition.ts";
import { setOrRemove } from "../model/slots.ts";
import { DateFields, ZoneField } from "./date_fields.tsx";
import { DurationField } from "../../../ui/duration_field.tsx";
import { MatchedFields } from "./matched_fields.tsx";
import { NextField, type StepFieldsProps } from "./next_field.tsx";
import { useMessage } from "./use_message.ts";
import { WayField } from "./way_field.tsx";
import { Select } from "../../../ui/overlays.tsx";

const formOptions = [
  { value: "for", label: "For a time" },
  { value: "time", label: "Until a time of day" },
  { value: "date", label: "Until a date of the customer" },
];
const emptyWaits: Readonly<Record<string, WaitStep["wait"]>> = {
  for: { for: "1d" },
  time: { until: { at: "09:00" } },
  date: { until: { date: "attributes." } },
};

/** The form of a wait: "for", "time" or "date". */
function formOf(wait: WaitStep["wait"]): string {
  if (!("until" in wait)) return "for";
  return "date" in wait.until ? "date" : "time";
}

/** A wait for a time, a time of day or a date. */
export function WaitFields({ id, step, onChange }: StepFieldsProps<WaitStep>) {
  const message = useMessage();
  const { wait } = step;
  const form = formOf(wait);
  const set = (changed: WaitStep["wait"], field?: string) =>
    onChange({ ...step, wait: changed }, field);
  return (
    <>
      <Select
        label="Wait"
        data={formOptions}
        value={form}
        onChange={(choice) => set(emptyWaits[choice ?? "for"]!)}
        allowDeselect={false}
      />
      {"until" in wait
        ? (
          "date" in wait.until
            ? (
              <DateFields
                value={wait.until}
                onChange={(until, field) => set({ ...wait, until }, field)}
                path={["wait", "until"]}
                description="attributes.<path>, trigger.<path> or created_at"
              />
            )
            : (
              <TimeOfDayFields
                value={wait.until}
                onChange={(until, field) => set({ until }, field)}
              />
            )
        )
        : (
          <DurationField
            label="Time"
            value={wait.for}
            onChange={(length = "") => set({ for: length }, "for")}
            error={message("wait", "for")}
            isRequired
          />
        )}
      <NextField id={id} />
      {form === "date" && <MissingDate id={id} step={step} onChange={onChange} />}
    </>
  );
}

interface TimeOfDayFieldsProps {
  value: TimeOfDayRule;
  onChange: (value: TimeOfDayRule, field?: string) => void;
}

function TimeOfDayFields({ value, onChange }: TimeOfDayFieldsProps) {
  const message = useMessage();
  return (
    <>
      <TextInput
        label="Local time"
        type="time"
        value={value.at}
        onChange={(event) => onChange({ ...value, at: event.currentTarget.value }, "at")}
        error={message("wait", "until", "at")}
        withAsterisk
      />
      <Checkbox.Group
        label="Days"
        description="Every day if none is chosen"
        value={[...value.weekdays ?? []]}
        onChange={(days) => {
          const chosen = weekdays.filter((day) => days.includes(day));
          onChange(setOrRemove(value, "weekdays", chosen.length > 0 ? chosen : undefined));
        }}
        error={message("wait", "until", "weekdays")}
      >
        <Group gap="sm" mt="xs">
          {weekdays.map((day) => (
            <Checkbox key={day} value={day} label={day[0]!.toUpperCase() + day.slice(1)} />
          ))}
        </Group>
      </Checkbox.Group>
      <ZoneField
        value={value.zone}
        onChange={(zone) => onChange(setOrRemove(value, "zone", zone))}
      />
    </>
  );
}

/** The way of customers without the date. Without one, their run fails. */
function MissingDate({ id, step, onChange }: StepFieldsProps<WaitStep>) {
  const wait = step.wait as { until: DateRule; on_missing?: string };
  const hasWay = wait.on_missing !== undefined;
  return (
    <>
      <Checkbox
        label="Another way for customers without the date"
        description="Otherwise their run ends with “failed”"
        checked={hasWay}
        onChange={(event) => {
          const target = event.currentTarget.checked ? step.next ?? "" : undefined;
          onChange({ ...step, wait: setOrRemove(wait, "on_missing", target) });
        }}
      />
      {hasWay && (
        <WayField
          slot={{ step: id, way: "missing" }}
          label="Without the date"
          path={["wait", "on_missing"]}
        />
      )}
    </>
  );
}

const sinceOptions = [
  { value: "step", label: "Since this step was entered" },
  { value: "entry", label: "Since the run began" },
];

/** A wait for an event, with its timeout. */
export function WaitForFields({ id, step, onChange }: StepFieldsProps<WaitForStep>) {
  const message = useMessage();
  const rule = step.wait_for;
  const set = (changed: WaitForStep["wait_for"], field?: string) =>
    onChange({ ...step, wait_for: changed }, field);
  return (
    <>
      <MatchedFields value={rule} onChange={set} path={["wait_for"]} />
      <Select
        label="Events that count"
        data={sinceOptions}
        value={rule.since ?? "step"}
        onChange={(since) => set(setOrRemove(rule, "since", since === "entry" ? since : undefined))}
        allowDeselect={false}
      />
      <DurationField
        label="At most"
        value={rule.timeout}
        onChange={(timeout = "") => set({ ...rule, timeout }, "timeout")}
        error={message("wait_for", "timeout")}
        isRequired
      />
      <NextField id={id} />
      <Checkbox
        label="Another way if the event does not come"
        checked={step.on_timeout !== undefined}
        onChange={(event) => {
          const target = event.currentTarget.checked ? step.next ?? "" : undefined;
          onChange(setOrRemove(step, "on_timeout", target));
        }}
      />
      {step.on_timeout !== undefined && (
        <WayField
          slot={{ step: id, way: "timeout" }}
          label="After the timeout"
          path={["on_timeout"]}
        />
      )}
    </>
  );
}
