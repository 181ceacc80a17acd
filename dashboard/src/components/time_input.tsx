import { Skeleton } from "@mantine/core";
import type { DateTimePickerProps } from "@mantine/dates";
import { lazy, Suspense } from "react";

const TimePicker = lazy(() => import("./time_picker.tsx"));

/** A day and a time of it; the calendar is loaded when first needed. */
export function TimeInput(props: DateTimePickerProps) {
  return (
    <Suspense fallback={<Skeleton h={60} />}>
      <TimePicker {...props} />
    </Suspense>
  );
}
