import { ApiError, unavailable } from "../../_shared/errors/errors.ts";
import { type SenderTester, senderTestResult } from "../../_shared/senders/sender_test.ts";

export interface SenderTesterOptions {
  /** Base URL of the functions: `https://<ref>.supabase.co/functions/v1`. */
  functionsUrl: string;
  /** The secret key named `dispatch`; without it nothing is sent. */
  key: string | undefined;
  /** @default the global `fetch` */
  fetch?: (request: Request) => Promise<Response>;
  /** Longest wait for the provider's answer. @default 25,000 */
  timeoutMs?: number;
}

/** Creates the client of `POST /send-dispatch/test`. */
export function createSenderTester(
  { functionsUrl, key, fetch: send = fetch, timeoutMs = 25_000 }: SenderTesterOptions,
): SenderTester {
  return async (test) => {
    try {
      if (key === undefined) throw new Error('Cannot test sender: no secret key named "dispatch"');
      const response = await send(
        new Request(`${functionsUrl}/send-dispatch/test`, {
          method: "POST",
          headers: { "apikey": key, "content-type": "application/json" },
          body: JSON.stringify(test),
          signal: AbortSignal.timeout(timeoutMs),
        }),
      );
      if (response.status === 404) throw new ApiError("not_found", "Sender does not exist");
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`Cannot test sender: send-dispatch responded with ${response.status}`);
      }
      return senderTestResult.parse(await response.json());
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw unavailable("Function send-dispatch is unavailable: it may have sent the test", error);
    }
  };
}
