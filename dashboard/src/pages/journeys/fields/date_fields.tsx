import { Group, TextInput } from "@mantine/core";
import type { DateRule } from "../../../api/journey_definition.ts";
import { setOrRemove } from "../model/slots.ts";
import { DurationField } from "../../../ui/duration_field.tsx";
import { useMessage } from "./use_message.ts";
import { Select } from "../../../ui/overlays.tsx";

const zoneOptions = [
  { value: "customer", label: "The customer’s" },
  { value: "workspace", label: "The workspace’s" },
];

interface ZoneFieldProps {
  value: DateRule["zone"];
  onChange: (value: DateRule["zone"]) => void;
}

/** The time zone of a local time. */
export function ZoneField({ value, onChange }: ZoneFieldProps) {
  return (
    <Select
      label="Time zone"
      data={zoneOptions}
      value={value ?? "customer"}
      onChange={(zone) => onChange(zone === "workspace" ? zone : undefined)}
      allowDeselect={false}
    />
  );
}

const directions = [
  { value: "-", label: "before the date" },
  { value: "", label: "after the date" },
];

interface DateFieldsProps {
  value: DateRule;
  onChange: (value: DateRule, field?: string) => void;
  path: readonly (string | number)[];
  description: string;
}

/** A date of the customer, moved by an offset. */
export function DateFields({ value, onChange, path, description }: DateFieldsProps) {
  const message = useMessage();
  const sign = value.offset?.startsWith("-") ? "-" : "";
  const distance = value.offset?.replace(/^[+-]/, "");
  const setOffset = (text: string | undefined, direction: string) =>
    onChange(setOrRemove(value, "offset", text && `${direction}${text}`), "offset");
  return (
    <>
      <TextInput
        label="Date"
        description={description}
        placeholder="attributes.renews_at"
        value={value.date}
        onChange={(event) => onChange({ ...value, date: event.currentTarget.value }, "date")}
        error={message(...path, "date")}
        withAsterisk
      />
      <DurationField
        label="Moved by"
        description="Leave empty for the date itself"
        value={distance}
        onChange={(text) => setOffset(text, sign)}
        error={message(...path, "offset")}
      />
      <Group grow align="flex-start">
        {value.offset !== undefined && (
          <Select
            label="Direction"
            data={directions}
            value={sign}
            onChange={(direction) => setOffset(distance, direction ?? "")}
            allowDeselect={false}
          />
        )}
        <TextInput
          label="Local time"
          type="time"
          value={value.at ?? ""}
          onChange={(event) =>
            onChange(setOrRemove(value, "at", event.currentTarget.value || undefined), "at")}
          error={message(...path, "at")}
        />
      </Group>
      {value.at !== undefined && (
        <ZoneField
          value={value.zone}
          onChange={(zone) => onChange(setOrRemove(value, "zone", zone))}
        />
      )}
    </>
  );
}
