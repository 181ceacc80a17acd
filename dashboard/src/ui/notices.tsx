import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** Where short notices show; what was to be shown before it was loaded waits for it. */
export default function Notices() {
  return <Notifications position="bottom-right" />;
}
