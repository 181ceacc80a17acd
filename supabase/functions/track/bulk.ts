import { invalidInput } from "../_shared/platform/errors.ts";
import { describeFaults, type ParsedJson } from "../_shared/json/json.ts";
import { readEntry } from "../_shared/entries/read_entry.ts";
import { bulkSchema } from "../_shared/entries/schemas.ts";
import { validate } from "../_shared/entries/validate.ts";
import { showRateLimit, takeForRest } from "../_shared/rate_limit/rate_limit.ts";
import { mapInSlices } from "../_shared/platform/slices.ts";
import type { TrackContext, TrackService } from "./service.ts";
import { storeEntries } from "./store_entries.ts";

/** Stores the good entries of a bulk request and answers each, after they are committed. */
export async function storeBulk(
  c: TrackContext,
  service: TrackService,
  body: ParsedJson & { paid: number },
): Promise<Response> {
  const { workspaceId } = c.get("apiKey");
  const entries = readEnvelope(body);
  const rest = { workspaceId, entries: entries.length, paid: body.paid };
  showRateLimit(c, await takeForRest(service.limiter, rest));
  const faults = Map.groupBy(body.faults, ({ path }) => path[1]);
  const receivedAt = service.now().getTime();
  const read = await mapInSlices(
    entries,
    (value, i) =>
      readEntry(value, {
        workspaceId,
        receivedAt,
        path: ["events", i],
        faults: faults.get(i) ?? [],
      }),
  );
  return await storeEntries(c, service, { door: "track", envelope: "events", entries, read });
}

function readEnvelope({ value, faults }: ParsedJson): unknown[] {
  const envelope = validate(bulkSchema, value);
  if (!envelope.ok) throw invalidInput(envelope.details);
  const outside = faults.filter(({ path }) => path.length < 2);
  if (outside.length > 0) throw invalidInput(describeFaults(outside));
  return envelope.value.events;
}
