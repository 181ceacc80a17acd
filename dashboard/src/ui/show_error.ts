import { notifications } from "@mantine/notifications";

/** Says what went wrong with a button that has no place of its own for it. */
export function showError({ message }: Error): void {
  notifications.show({ message, color: "red" });
}
