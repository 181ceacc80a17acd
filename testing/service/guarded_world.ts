import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import {
  createGuardedFetch,
  type GuardedFetchOptions,
  type SendOutcome,
  type SendRequest,
} from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import type { RemoteReceiverOptions } from "../receivers/receiver_host.ts";
import { type RemoteReceiver, startRemoteReceiver } from "../receivers/remote_receiver.ts";

/**
 * False on Deno 2.1.4: a TLS connection that is given up during its handshake stays open there, at
 * the latest until the instance ends. docs/adr/0009-undici-by-path.md says what that means.
 */
export const closesHandshakes = !Deno.version.deno.startsWith("2.1.");

export const loopback = parseAllowedCidrs("127.0.0.1/32");

/** A receiver, and a guarded fetch that may reach it; both end with the test. */
export interface GuardedWorld extends AsyncDisposable {
  receiver: RemoteReceiver;
  /** Sends to `http://127.0.0.1:<port>/hook` unless told otherwise, then reads what arrived. */
  send(request?: Partial<SendRequest>): Promise<SendOutcome>;
}

/** Creates a guarded fetch and the receivers that it calls. */
export async function createGuardedWorld(
  options: RemoteReceiverOptions,
  fetchOptions: GuardedFetchOptions = {},
): Promise<GuardedWorld> {
  const receiver = await startRemoteReceiver(options);
  const guarded = createGuardedFetch({ allowed: loopback, ...fetchOptions });
  return {
    receiver,
    async send(request = {}) {
      const outcome = await guarded.send({
        key: "destination",
        url: `http://127.0.0.1:${receiver.port}/hook`,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode("{}"),
        ...request,
      });
      await receiver.refresh();
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      await guarded.close();
      await receiver.close();
    },
  };
}
