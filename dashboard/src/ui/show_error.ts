import { notifications } from "@mantine/notifications";

/** Shows the error of a button that has no place for one. */
export function showError({ message }: Error): void {
  notifications.show({ message, color: "red" });
}
