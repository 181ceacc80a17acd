import { Button, CopyButton } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@primer/octicons-react";
import { useServices } from "../../api/services.ts";
import type { TrackedEvent } from "../../api/types.ts";
import { makeTrackCurl } from "./make_track_curl.ts";

/** Copies a tracked event as a curl command, with a placeholder instead of a key. */
export function CopyTrackCurl({ event }: { event: TrackedEvent }) {
  const { config } = useServices();
  // An identify or alias stores something else than it was sent.
  if (event.kind !== "event") return null;
  return (
    <CopyButton value={makeTrackCurl(event, config.baseUrl)} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <CheckIcon /> : <CopyIcon />}
          onClick={copy}
        >
          {copied ? "Copied" : "Copy as curl"}
        </Button>
      )}
    </CopyButton>
  );
}
