import { parseAllowedCidrs } from "../../_shared/outbound/addresses.ts";
import type { HandOver, HandOverCall } from "./provider.ts";
import { handOverBySmtp } from "./smtp.ts";

const host = "127.0.0.1";
const options = {
  allowed: parseAllowedCidrs(`${host}/32`),
  resolve: () => Promise.resolve([host]),
  isPlain: true,
};

/**
 * Hands a message to the inbox of the local stack. Never rejects.
 *
 * @param port of the inbox's SMTP server; undefined outside of the local stack
 */
export async function handOverToInbox(
  call: HandOverCall<unknown>,
  port: number | undefined,
): Promise<HandOver> {
  if (port !== undefined) {
    return await handOverBySmtp({ ...call, config: { host, port, secure: false } }, options);
  }
  return {
    outcome: "failed",
    reason: "no_inbox",
    providerId: null,
    statusCode: null,
    response: null,
    retryAfter: null,
    durationMs: 0,
  };
}
