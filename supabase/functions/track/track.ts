import { bulkSchema } from "../_shared/entries/schemas.ts";
import { validate } from "../_shared/entries/validate.ts";
import { ownFormat as format } from "../_shared/entries/wire_format.ts";
import { describeFaults, isRecord, type ParsedJson } from "../_shared/json/json.ts";
import { invalidInput } from "../_shared/errors/errors.ts";
import { readBulk, type SentEntries } from "./bulk.ts";
import { readRequest } from "./read_request.ts";
import { readSingle, storeEntry } from "./single.ts";
import { storeEntries } from "./store_entries.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** Handles `POST /track`: one event, identify or alias, or a bulk of them. */
export async function track(c: TrackContext, service: TrackService): Promise<Response> {
  const request = await readRequest(c, service, {
    format,
    async read(body) {
      const { value, faults, paid, slices } = body;
      return isRecord(value) && Object.hasOwn(value, "events")
        ? { bulk: await readBulk(c, service, { ...openBulk(body), paid, slices }) }
        : { single: readSingle(c, service, { format, entry: value, faults, slices }) };
    },
  });
  return request.bulk !== undefined
    ? await storeEntries(c, service, request.bulk)
    : await storeEntry(c, service, request.single);
}

function openBulk({ value, faults }: ParsedJson): SentEntries {
  const envelope = validate(bulkSchema, value);
  if (!envelope.ok) throw invalidInput(envelope.details);
  const outside = faults.filter(({ path }) => path.length < 2);
  if (outside.length > 0) throw invalidInput(describeFaults(outside));
  const faultsByIndex = Map.groupBy(faults, ({ path }) => path[1]);
  return {
    format,
    sent: envelope.value.events,
    faultsOf: (index) => faultsByIndex.get(index) ?? [],
    complete: (entry) => entry,
    findOffset: () => 0,
  };
}
