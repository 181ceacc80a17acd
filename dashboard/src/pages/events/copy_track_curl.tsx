import { useServices } from "../../api/services.ts";
import type { TrackedEvent } from "../../api/types.ts";
import { CopyTextButton } from "../../ui/copy_text_button.tsx";
import { makeTrackCurl } from "./make_track_curl.ts";

/** Copies a tracked event as a curl command, with a placeholder instead of a key. */
export function CopyTrackCurl({ event }: { event: TrackedEvent }) {
  const { config } = useServices();
  // An identify or alias stores something else than it was sent.
  if (event.kind !== "event") return null;
  return <CopyTextButton label="Copy as curl" value={makeTrackCurl(event, config.baseUrl)} />;
}
