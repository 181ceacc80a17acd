import { readText } from "../_shared/body.ts";
import { isRecord, parseJson } from "../_shared/json.ts";
import { maxBulkEntries } from "../_shared/entries/schemas.ts";
import { storeBulk } from "./bulk.ts";
import { storeSingle } from "./single.ts";
import type { TrackContext, TrackService } from "./service.ts";

// Browsers send a beacon as text/plain, which needs no preflight.
const mediaTypes = ["application/json", "text/plain"];

/** `POST /track`: one event, identify or alias, or a bulk of them. */
export async function track(c: TrackContext, service: TrackService): Promise<Response> {
  const text = await readText(c.req.raw, { mediaTypes });
  const body = parseJson(text, { envelope: "events", maxMembers: maxBulkEntries });
  const isBulk = isRecord(body.value) && Object.hasOwn(body.value, "events");
  return isBulk ? await storeBulk(c, service, body) : await storeSingle(c, service, body);
}
