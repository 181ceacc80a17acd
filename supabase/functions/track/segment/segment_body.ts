import { openText } from "../../_shared/http/body.ts";
import { readBasic, readBearer } from "../../_shared/access/auth.ts";
import { unauthorized } from "../../_shared/platform/errors.ts";
import { maxSingle } from "../../_shared/entries/schemas.ts";
import {
  isRecord,
  type ParsedJson,
  parseJsonInSteps,
  parseUninspected,
} from "../../_shared/json/json.ts";
import { runInSlices, type Slices } from "../../_shared/platform/slices.ts";
import { payForBody, readOwnBody, receiveBody, type ReceivedBody } from "../paid_body.ts";
import type { TrackContext, TrackService } from "../service.ts";

/** What Segment itself takes: its libraries drop a batch that is refused as a whole. */
export const maxBatch = 2500;

// The browser library sends text/plain, which needs no preflight where there is no other header.
const mediaTypes = ["application/json", "text/plain"];

// The key may be in the body alone, which then is read before the handler is called.
const bodies = new WeakMap<Request, Promise<ReceivedBody>>();

function receiveOnce(request: Request): Promise<ReceivedBody> {
  let body = bodies.get(request);
  if (body === undefined) {
    body = receiveBody(request, { mediaTypes });
    bodies.set(request, body);
  }
  return body;
}

/** The body of a request and the tokens it cost. */
export type SegmentBody = ParsedJson & { paid: number; slices: Slices };

/**
 * Reads a request of Segment's libraries with what `read` makes of its body; what is wrong in a
 * message is told apart.
 */
export async function readSegmentRequest<Read>(
  c: TrackContext,
  service: TrackService,
  read: (body: SegmentBody) => Promise<Read> | Read,
): Promise<Read> {
  const form = { envelope: "batch", maxMembers: maxBatch };
  const slices = service.loop.slicesOf(c.get("apiKey").workspaceId);
  return await readOwnBody(c, service, {
    receive: () => receiveOnce(c.req.raw),
    async read(body) {
      const { text, counts, paid } = await payForBody(c, service, { ...form, body, slices });
      const steps = parseJsonInSteps(text, { ...form, maxSingle, counts });
      return await read({ ...await runInSlices(steps, slices), paid, slices });
    },
  });
}

/** The key of a request: the user name of Basic, a bearer token, or `writeKey` in the body. */
export async function readSegmentKey(c: TrackContext): Promise<string> {
  const header = c.req.header("authorization");
  if (header !== undefined) {
    return /^basic /i.test(header) ? readBasic(header).username : readBearer(header);
  }
  // Browsers compress nothing, and inflating costs us far more than it costs a caller without a key.
  if (c.req.header("content-encoding") !== undefined) {
    throw unauthorized("Key is missing: a body with Content-Encoding needs it in Authorization");
  }
  // Inspected only once the key is known to be one.
  const body = await receiveOnce(c.req.raw);
  if (!body.ok) throw body.error;
  const value = parseUninspected(await openText(body.wire));
  if (isRecord(value) && typeof value.writeKey === "string") return value.writeKey;
  throw unauthorized('Key is missing: send it as the user name of Basic, or as "writeKey"');
}
