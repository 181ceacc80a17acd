import "@mantine/dates/styles.css";
import { DateTimePicker, type DateTimePickerProps } from "@mantine/dates";

export function TimePicker(props: DateTimePickerProps) {
  return <DateTimePicker valueFormat="D MMM YYYY, HH:mm" {...props} />;
}
