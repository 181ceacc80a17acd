import "@mantine/dates/styles.css";
import { DateTimePicker, type DateTimePickerProps } from "@mantine/dates";

export function TimePicker(props: DateTimePickerProps) {
  // Without weekends, no day is red.
  return <DateTimePicker valueFormat="D MMM YYYY, HH:mm" weekendDays={[]} {...props} />;
}
