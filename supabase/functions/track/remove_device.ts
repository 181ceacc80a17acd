import { removeDeviceToken } from "./device_tokens.ts";
import { invalidInput } from "../_shared/errors/errors.ts";
import { removeDeviceSchema } from "../_shared/entries/schemas.ts";
import { readPaidJson } from "./paid_body.ts";
import type { TrackContext, TrackService } from "./service.ts";
import { validate } from "../_shared/entries/validate.ts";

/** Handles `DELETE /track/devices`: removes a push token; an unknown token is not an error. */
export async function removeDevice(c: TrackContext, service: TrackService): Promise<Response> {
  const read = validate(removeDeviceSchema, await readPaidJson(c, service));
  if (!read.ok) throw invalidInput(read.details);
  const { workspaceId } = c.get("apiKey");
  const removed = await removeDeviceToken(service.sql, { workspaceId, token: read.value.token });
  return c.json({ ok: true, removed });
}
