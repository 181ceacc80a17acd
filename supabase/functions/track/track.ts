import { isRecord, parseJsonInSteps } from "../_shared/json/json.ts";
import { maxBulkEntries, maxSingle } from "../_shared/entries/schemas.ts";
import { runInSlices } from "../_shared/platform/slices.ts";
import { readBulk } from "./bulk.ts";
import { payForBody, readOwnBody, receiveBody } from "./paid_body.ts";
import { readSingle, storeEntry } from "./single.ts";
import { storeEntries } from "./store_entries.ts";
import type { TrackContext, TrackService } from "./service.ts";

// Browsers send a beacon as text/plain, which needs no preflight.
const mediaTypes = ["application/json", "text/plain"];

/** `POST /track`: one event, identify or alias, or a bulk of them. */
export async function track(c: TrackContext, service: TrackService): Promise<Response> {
  const form = { envelope: "events", maxMembers: maxBulkEntries };
  const slices = service.loop.slicesOf(c.get("apiKey").workspaceId);
  const request = await readOwnBody(c, service, {
    receive: () => receiveBody(c.req.raw, { mediaTypes }),
    async read(received) {
      const { text, counts, paid } = await payForBody(c, service, {
        ...form,
        body: received,
        slices,
      });
      const body = await runInSlices(
        parseJsonInSteps(text, { ...form, maxSingle, counts }),
        slices,
      );
      const isBulk = isRecord(body.value) && Object.hasOwn(body.value, "events");
      return isBulk
        ? { bulk: await readBulk(c, service, { ...body, paid, slices }) }
        : { single: readSingle(c, service, { ...body, slices }) };
    },
  });
  return request.bulk !== undefined
    ? await storeEntries(c, service, request.bulk)
    : await storeEntry(c, service, request.single);
}
