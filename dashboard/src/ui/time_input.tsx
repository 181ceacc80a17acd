import { Skeleton } from "@mantine/core";
import type { DateTimePickerProps } from "@mantine/dates";
import { useModule } from "./use_module.ts";

/** A date and time field. The calendar loads when first needed. */
export function TimeInput(props: DateTimePickerProps) {
  const picker = useModule("time_picker", () => import("./time_picker.tsx"));
  return picker ? <picker.TimePicker {...props} /> : <Skeleton h={60} />;
}
