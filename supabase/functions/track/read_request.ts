import { maxSingle } from "../_shared/entries/schemas.ts";
import type { WireFormat } from "../_shared/entries/wire_format.ts";
import { type ParsedJson, parseJsonInSteps } from "../_shared/json/json.ts";
import { runInSlices, type Slices } from "../_shared/event_loop/slices.ts";
import { payForBody, readOwnBody } from "./paid_body.ts";
import { isSmallBody, receiveBody, type ReceivedBody } from "./received_body.ts";
import type { TrackContext, TrackService } from "./service.ts";

// Browsers send text/plain, which needs no preflight.
const mediaTypes = ["application/json", "text/plain"];

/** A parsed body and the tokens it cost. */
export type ReadBody = ParsedJson & { paid: number; slices: Slices };

/** Format of a request, and what is made of its body. */
export interface RequestReader<Read> {
  format: WireFormat;
  read: (body: ReadBody) => Promise<Read> | Read;
}

/** Receives, pays for and parses a request of entries; returns what `read` makes of its body. */
export async function readRequest<Read>(
  c: TrackContext,
  service: TrackService,
  { format: { envelope, maxEntries }, read }: RequestReader<Read>,
): Promise<Read> {
  const form = { envelope, maxMembers: maxEntries };
  return await readOwnBody(c, service, {
    receive: () => receiveOnce(c),
    async read(body) {
      const slices = service.loop.slicesOf(c.get("apiKey").workspaceId, isSmallBody(body));
      const { text, counts, paid } = await payForBody(c, service, { ...form, body, slices });
      const steps = parseJsonInSteps(text, { ...form, maxSingle, counts });
      return await read({ ...await runInSlices(steps, slices), paid, slices });
    },
  });
}

/** Receives the body of a request of entries, which may have been received for its key before. */
export async function receiveOnce(c: TrackContext): Promise<ReceivedBody> {
  const body = c.get("receivedBody") ?? await receiveBody(c.req.raw, { mediaTypes });
  c.set("receivedBody", body);
  return body;
}
