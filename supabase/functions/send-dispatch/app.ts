import type { Context, Hono } from "hono";
import type { CellDatabases } from "../_shared/db/connect.ts";
import { ApiError, invalidInput } from "../_shared/errors/errors.ts";
import { readJson } from "../_shared/http/body.ts";
import { type AppVariables, createApp, mountRoutes } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/log/log.ts";
import { equalsConstantTime } from "../_shared/secrets/signing.ts";
import { type SenderTester, senderTestRequest } from "../_shared/senders/sender_test.ts";
import type { ClaimWorker } from "../_shared/work/worker.ts";

export interface SendAppDeps extends CellDatabases {
  worker: ClaimWorker;
  testSender: SenderTester;
  /** The platform's secret key named `dispatch`, which callers send in the header `apikey`. */
  dispatchKey: string;
  /** Keeps the function alive until the promise settles. */
  waitUntil: (work: Promise<void>) => void;
  log: Log;
}

/**
 * Creates `POST /send-dispatch`, which returns 202 immediately and sends due messages in the
 * background, and `POST /send-dispatch/test`, which tries a sender.
 */
export function createSendApp(
  { worker, testSender, dispatchKey, waitUntil, log, sql }: SendAppDeps,
): Hono<{ Variables: AppVariables }> {
  const app = createApp<AppVariables>({ name: "send-dispatch", log, sql });
  const requireKey = (c: Context) => {
    if (equalsConstantTime(c.req.header("apikey") ?? "", dispatchKey)) return;
    throw new ApiError("unauthorized", 'Header "apikey" must contain the secret key for dispatch');
  };
  mountRoutes(app, [{
    method: "POST",
    path: "/",
    handler: (c) => {
      requireKey(c);
      waitUntil(worker.wake());
      return c.json({ ok: true }, 202);
    },
  }, {
    method: "POST",
    path: "/test",
    async handler(c) {
      requireKey(c);
      const body = senderTestRequest.safeParse(await readJson(c.req.raw));
      if (body.success) return c.json(await testSender(body.data));
      throw invalidInput(body.error.issues.map(({ path, message }) => ({
        field: path.join("."),
        message,
      })));
    },
  }]);
  return app;
}
