import { invalidInput } from "../_shared/platform/errors.ts";
import { describeFaults, type ParsedJson } from "../_shared/json/json.ts";
import { readEntry } from "../_shared/entries/read_entry.ts";
import { bulkSchema } from "../_shared/entries/schemas.ts";
import { validate } from "../_shared/entries/validate.ts";
import { showRateLimit, takeForRest } from "../_shared/rate_limit/rate_limit.ts";
import { mapSteps, runInSlices, type Slices } from "../_shared/platform/slices.ts";
import type { TrackContext, TrackService } from "./service.ts";
import type { EntryBatch } from "./store_entries.ts";

/** The entries of a bulk request, each of them read. */
export async function readBulk(
  c: TrackContext,
  service: TrackService,
  { slices, ...body }: ParsedJson & { paid: number; slices: Slices },
): Promise<EntryBatch> {
  const { workspaceId } = c.get("apiKey");
  const entries = readEnvelope(body);
  const rest = { workspaceId, entries: entries.length, paid: body.paid };
  showRateLimit(c, await takeForRest(service.limiter, rest));
  const faults = Map.groupBy(body.faults, ({ path }) => path[1]);
  const receivedAt = service.now().getTime();
  const steps = mapSteps(entries, (value, i) => {
    const origin = { workspaceId, receivedAt, path: ["events", i], faults: faults.get(i) ?? [] };
    return readEntry(value, origin);
  });
  const read = await runInSlices(steps, slices);
  return { door: "track", envelope: "events", entries, read, slices };
}

function readEnvelope({ value, faults }: ParsedJson): unknown[] {
  const envelope = validate(bulkSchema, value);
  if (!envelope.ok) throw invalidInput(envelope.details);
  const outside = faults.filter(({ path }) => path.length < 2);
  if (outside.length > 0) throw invalidInput(describeFaults(outside));
  return envelope.value.events;
}
