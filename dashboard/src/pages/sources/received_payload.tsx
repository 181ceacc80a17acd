import { useEffect, useState } from "react";
import { listRows, useApi, useApiList } from "../../api/use_api.ts";
import { formatClock, formatDay } from "../../format/clock.ts";
import { useZone } from "../../format/use_zone.ts";
import { prettyJson } from "../../format/pretty_json.ts";
import { showError } from "../../ui/show_error.ts";
import { outcomeLabel } from "./receipt_outcome.tsx";
import { Select } from "../../ui/overlays.tsx";

const shownCount = 20;

/** Without the year and milliseconds, which would leave no room for the names of the events. */
function formatMoment(time: string, zone: string): string {
  return `${formatDay(time, zone, false)}, ${formatClock(time, zone, "second")}`;
}

interface ReceivedPayloadProps {
  sourceId: string;
  /** True while no payload was chosen or typed: the newest is loaded then. */
  isUntouched: boolean;
  /** Gets the body of the chosen request. */
  choose: (body: string) => void;
}

/** Loads the body of a request that the source received: first the newest. */
export function ReceivedPayload({ sourceId, isUntouched, choose }: ReceivedPayloadProps) {
  const api = useApi();
  const zone = useZone();
  const [chosen, setChosen] = useState<string | null>(null);
  const receipts = listRows(useApiList("GET /sources/{id}/receipts", {
    params: { id: sourceId },
    query: { limit: shownCount },
  }));
  const load = async (receipt_id: string) => {
    const { body } = await api.call("GET /sources/{id}/receipts/{receipt_id}", {
      params: { id: sourceId, receipt_id },
    });
    if (body === null) throw new Error("The body of this request was not kept");
    choose(prettyJson(body));
    setChosen(receipt_id);
  };
  const newest = receipts[0]?.id;
  useEffect(() => {
    // Without it, the sample stays.
    if (isUntouched && newest !== undefined) load(newest).catch(() => {});
  }, [newest === undefined]);
  if (newest === undefined) return null;
  const shown = receipts.find(({ id }) => id === chosen);
  return (
    <Select
      label="Received request"
      placeholder="Choose a request"
      data={receipts.map(({ id, received_at, event_names }) => ({
        value: id,
        label: [formatMoment(received_at, zone), event_names.join(", ")].filter(Boolean).join(
          " · ",
        ),
      }))}
      description={shown ? outcomeLabel(shown.outcome) : "Choose one to load its body"}
      value={chosen}
      onChange={(id: string | null) => {
        if (id) load(id).catch(showError);
      }}
      allowDeselect={false}
    />
  );
}
