import { Button, CopyButton } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@primer/octicons-react";
import type { DeliveryDetail, Destination } from "../../api/types.ts";
import { makeCurl } from "./make_curl.ts";

interface CopyCurlProps {
  delivery: DeliveryDetail;
  /** The destination as it is today; undefined if it was deleted. */
  destination: Destination | undefined;
}

/** Copies the request as a curl command, without signatures. */
export function CopyCurl({ delivery, destination }: CopyCurlProps) {
  const body = delivery.message?.body;
  if (!body || !destination) return null;
  const { url, header_names: headerNames } = destination;
  return (
    <CopyButton value={makeCurl({ delivery, url, headerNames, body })} timeout={2000}>
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
