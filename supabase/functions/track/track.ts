import { isRecord, parseJson } from "../_shared/json/json.ts";
import { maxBulkEntries, maxSingle } from "../_shared/entries/schemas.ts";
import { storeBulk } from "./bulk.ts";
import { payForBody, receiveBody, receiveOwnBody } from "./paid_body.ts";
import { storeSingle } from "./single.ts";
import type { TrackContext, TrackService } from "./service.ts";

// Browsers send a beacon as text/plain, which needs no preflight.
const mediaTypes = ["application/json", "text/plain"];

/** `POST /track`: one event, identify or alias, or a bulk of them. */
export async function track(c: TrackContext, service: TrackService): Promise<Response> {
  const form = { envelope: "events", maxMembers: maxBulkEntries };
  const received = await receiveOwnBody(c, service, () => receiveBody(c.req.raw, { mediaTypes }));
  const { text, paid } = await payForBody(c, service, { ...form, body: received });
  const body = parseJson(text, { ...form, maxSingle });
  const isBulk = isRecord(body.value) && Object.hasOwn(body.value, "events");
  return isBulk
    ? await storeBulk(c, service, { ...body, paid })
    : await storeSingle(c, service, body);
}
