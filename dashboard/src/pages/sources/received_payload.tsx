import { listRows, useApi, useApiList } from "../../api/use_api.ts";
import { formatLocal } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { prettyJson } from "../../format/pretty_json.ts";
import { showError } from "../../ui/show_error.ts";
import { Select } from "../../ui/overlays.tsx";

const shownCount = 20;

interface ReceivedPayloadProps {
  sourceId: string;
  /** Gets the body of the chosen request. */
  choose: (body: string) => void;
}

/** Loads the body of a request that the source received. */
export function ReceivedPayload({ sourceId, choose }: ReceivedPayloadProps) {
  const api = useApi();
  const zone = useZone();
  const receipts = listRows(useApiList("GET /sources/{id}/receipts", {
    params: { id: sourceId },
    query: { limit: shownCount },
  }));
  const load = async (receipt_id: string) => {
    try {
      const { body } = await api.call("GET /sources/{id}/receipts/{receipt_id}", {
        params: { id: sourceId, receipt_id },
      });
      if (body === null) throw new Error("The body of this request was not kept");
      choose(prettyJson(body));
    } catch (error) {
      if (error instanceof Error) showError(error);
    }
  };
  if (receipts.length === 0) return null;
  return (
    <Select
      label="Received requests"
      description="Loads the body of one as the payload"
      placeholder="Choose a request"
      data={receipts.map(({ id, received_at, outcome }) => ({
        value: id,
        label: `${formatLocal(received_at, zone)} · ${outcome}`,
      }))}
      onChange={(id: string | null) => id && void load(id)}
      mb="md"
      maw={420}
    />
  );
}
