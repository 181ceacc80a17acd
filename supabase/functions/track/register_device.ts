import { registerDeviceToken } from "./device_tokens.ts";
import { invalidInput } from "../_shared/errors/errors.ts";
import { registerDeviceSchema } from "../_shared/entries/schemas.ts";
import { readPaidJson } from "./paid_body.ts";
import type { TrackContext, TrackService } from "./service.ts";
import { validate } from "../_shared/entries/validate.ts";

/**
 * Handles `POST /track/devices`: attaches a push token to a customer, and moves it from another
 * one.
 */
export async function registerDevice(c: TrackContext, service: TrackService): Promise<Response> {
  const read = validate(registerDeviceSchema, await readPaidJson(c, service));
  if (!read.ok) throw invalidInput(read.details);
  const { external_id: externalId, anon_id: anonId, token, platform } = read.value;
  const { workspaceId } = c.get("apiKey");
  const customerId = await registerDeviceToken(service.sql, {
    workspaceId,
    externalId,
    anonId,
    token,
    platform,
  });
  return c.json({ ok: true, customer_id: customerId });
}
