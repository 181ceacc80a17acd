import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** Shows short notices, including those from before it was loaded. */
export default function Notices() {
  // They outlast the page and the place of its other overlays.
  return <Notifications position="bottom-right" portalProps={{ reuseTargetNode: false }} />;
}
