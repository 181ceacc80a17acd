import { Skeleton } from "@mantine/core";
import type { DateTimePickerProps } from "@mantine/dates";
import { fromFieldTime, toFieldTime } from "../format/clock.ts";
import { useZone } from "../format/use_zone.ts";
import { useModule } from "./use_module.ts";

interface TimeInputProps extends Omit<DateTimePickerProps, "value" | "onChange"> {
  /** A moment as the api writes it; null for none. */
  value?: string | null;
  onChange?: (value: string | null) => void;
}

/** A date and time field in the chosen time zone, which it names. */
export function TimeInput({ value, onChange, description, ...props }: TimeInputProps) {
  const zone = useZone();
  return (
    <ClockInput
      {...props}
      description={props.label
        ? [description, `Time zone: ${zone}`].filter(Boolean).join(". ")
        : null}
      value={value ? toFieldTime(value, zone) : null}
      onChange={(local) => onChange?.(local ? fromFieldTime(local, zone) : null)}
    />
  );
}

/** A date and time field by the clock of the page's choice. The calendar loads when needed. */
export function ClockInput(props: DateTimePickerProps) {
  const picker = useModule("time_picker", () => import("./time_picker.tsx"));
  if (!picker) return <Skeleton h={60} />;
  return <picker.TimePicker {...props} />;
}
