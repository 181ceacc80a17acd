import { readBasic, readBearer } from "../../_shared/access/auth.ts";
import { openText } from "../../_shared/http/body.ts";
import { isRecord, parseUninspected } from "../../_shared/json/json.ts";
import { unauthorized } from "../../_shared/errors/errors.ts";
import { receiveOnce } from "../read_request.ts";
import type { TrackContext } from "../service.ts";

/** Reads a request's key: the user name of Basic, a bearer token, or `writeKey` in the body. */
export async function readSegmentKey(c: TrackContext): Promise<string> {
  const header = c.req.header("authorization");
  if (header !== undefined) {
    return /^basic /i.test(header) ? readBasic(header).username : readBearer(header);
  }
  // Browsers do not compress, and inflating costs us far more than it costs a caller without a key.
  if (c.req.header("content-encoding") !== undefined) {
    throw unauthorized("Key is missing: a body with Content-Encoding needs it in Authorization");
  }
  // The body is inspected only after its key is verified.
  const body = await receiveOnce(c);
  if (!body.ok) throw body.error;
  const value = parseUninspected(await openText(body.wire));
  if (isRecord(value) && typeof value.writeKey === "string") return value.writeKey;
  throw unauthorized('Key is missing: send it as the user name of Basic, or as "writeKey"');
}
