import { Button, CopyButton } from "@mantine/core";
import { CheckIcon, CopyIcon } from "@primer/octicons-react";
import type { DeliveryDetail } from "../../api/types.ts";
import { makeCurl } from "./make_curl.ts";

interface CopyCurlProps {
  delivery: DeliveryDetail;
  /** The endpoint URL of today; undefined without a destination. */
  url: string | undefined;
}

/** Copies the request as a curl command, without signatures. */
export function CopyCurl({ delivery, url }: CopyCurlProps) {
  const body = delivery.message?.body;
  if (!body || !url) return null;
  return (
    <CopyButton value={makeCurl({ delivery, url, body })} timeout={2000}>
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
