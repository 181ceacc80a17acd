import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import {
  createGuardedFetch,
  type GuardedFetchOptions,
  type SendOutcome,
  type SendRequest,
} from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.ts";

export const LOOPBACK = parseAllowedCidrs("127.0.0.1/32");

/** A receiver, and a guarded fetch that may reach it; both end with the test. */
export interface GuardedWorld extends AsyncDisposable {
  receiver: Receiver;
  /** Sends to `http://127.0.0.1:<port>/hook` unless told otherwise. */
  send(request?: Partial<SendRequest>): Promise<SendOutcome>;
}

export async function createGuardedWorld(
  options: ReceiverOptions,
  fetchOptions: GuardedFetchOptions = {},
): Promise<GuardedWorld> {
  const receiver = await startReceiver(options);
  const guarded = createGuardedFetch({ allowed: LOOPBACK, ...fetchOptions });
  return {
    receiver,
    send: (request = {}) =>
      guarded.send({
        key: "destination",
        url: `http://127.0.0.1:${receiver.port}/hook`,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode("{}"),
        ...request,
      }),
    async [Symbol.asyncDispose]() {
      await guarded.close();
      await receiver.close();
    },
  };
}
