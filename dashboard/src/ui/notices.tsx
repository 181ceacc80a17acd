import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** Shows short notices, including those from before it was loaded. */
export default function Notices() {
  return <Notifications position="bottom-right" />;
}
