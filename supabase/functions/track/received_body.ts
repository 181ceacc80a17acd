import { type BodyLimits, receiveJson, type WireBody } from "../_shared/http/body.ts";

/** A body that has arrived, or how many bytes have and why it is refused. */
export type ReceivedBody =
  | { ok: true; wire: WireBody }
  | { ok: false; bytes: number; error: unknown };

const smallBytes = 4 * 1024;

/** Receives a body. Errors are returned, to be thrown once the body is paid for. */
export async function receiveBody(request: Request, limits: BodyLimits): Promise<ReceivedBody> {
  let bytes = 0;
  try {
    const wire = await receiveJson(request, { ...limits, meter: (size) => bytes = size });
    return { ok: true, wire };
  } catch (error) {
    return { ok: false, bytes, error };
  }
}

/** Returns true for a body that takes about a tenth of a millisecond to read. */
export function isSmallBody(body: ReceivedBody): boolean {
  return body.ok && body.wire.format === undefined && body.wire.bytes.byteLength <= smallBytes;
}
