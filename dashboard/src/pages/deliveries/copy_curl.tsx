import type { DeliveryDetail, Destination } from "../../api/types.ts";
import { CopyTextButton } from "../../ui/copy_text_button.tsx";
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
    <CopyTextButton label="Copy as curl" value={makeCurl({ delivery, url, headerNames, body })} />
  );
}
