import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Receipt } from "../../api/types.ts";
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

/** Larger bodies are not kept. */
const largestKept = 256 * 1024;

/** Returns whether the body was kept: that of an unverified request is not. */
export function hasBody({ is_verified, body_bytes }: Receipt): boolean {
  return is_verified && body_bytes > 0 && body_bytes <= largestKept;
}

/** Returns whether a mapping can be tried with the body: it is a readable message of the sender. */
export function isUsable(receipt: Receipt): boolean {
  return hasBody(receipt) && receipt.outcome !== "refused" && receipt.outcome !== "handshake";
}

interface ReceivedPayloadProps {
  sourceId: string;
  /** True while no payload was chosen or typed: the newest is loaded then. */
  isUntouched: boolean;
  /** Gets the body of the chosen request. */
  choose: (body: string) => void;
}

/** Loads the body of a request that the source received: first the newest that can be used. */
export function ReceivedPayload({ sourceId, isUntouched, choose }: ReceivedPayloadProps) {
  const api = useApi();
  const zone = useZone();
  const [chosen, setChosen] = useState<string | null>(null);
  const receipts = listRows(useApiList("GET /sources/{id}/receipts", {
    params: { id: sourceId },
    query: { limit: shownCount },
  })).filter(hasBody);
  const load = async (receipt_id: string) => {
    const { body } = await api.call("GET /sources/{id}/receipts/{receipt_id}", {
      params: { id: sourceId, receipt_id },
    });
    if (body === null) throw new Error("The body of this request was not kept");
    choose(prettyJson(body));
    setChosen(receipt_id);
  };
  const loadNewest = async () => {
    for (const { id } of receipts.filter(isUsable)) {
      // A body can have been erased. Without any, the sample stays.
      const isLoaded = await load(id).then(() => true, () => false);
      if (isLoaded) return;
    }
  };
  const isEmpty = receipts.length === 0;
  useEffect(() => {
    if (isUntouched) void loadNewest();
  }, [isEmpty]);
  if (isEmpty) return null;
  const find = (wanted: string | null) => receipts.find(({ id }) => id === wanted);
  const shown = find(chosen);
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
      renderOption={({ option }) => <Option label={option.label} receipt={find(option.value)} />}
      description={shown ? outcomeLabel(shown.outcome) : "Choose one to load its body"}
      value={chosen}
      onChange={(id: string | null) => {
        if (id) load(id).catch(showError);
      }}
      allowDeselect={false}
    />
  );
}

/** The outcome is below the name, which is the value of the field. */
function Option({ label, receipt }: { label: string; receipt: Receipt | undefined }) {
  return (
    <div>
      <Text size="sm" className="break-anywhere" dir="auto">{label}</Text>
      {receipt && <Text size="xs" c="dimmed">{outcomeLabel(receipt.outcome)}</Text>}
    </div>
  );
}
