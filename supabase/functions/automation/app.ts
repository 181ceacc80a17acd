import type { Hono } from "hono";
import type { CellDatabases } from "../_shared/db/connect.ts";
import { ApiError } from "../_shared/errors/errors.ts";
import { type AppVariables, createApp, mountRoutes } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/log/log.ts";
import { equalsConstantTime } from "../_shared/secrets/signing.ts";
import type { AutomationWorker } from "./automation_worker.ts";

export interface AutomationAppDeps extends CellDatabases {
  worker: AutomationWorker;
  /** The platform's secret key named `dispatch`, which callers send in the header `apikey`. */
  dispatchKey: string;
  /** Keeps the function alive until the promise settles. */
  waitUntil: (work: Promise<void>) => void;
  log: Log;
}

/** Creates `POST /automation`: returns 202 immediately, and moves due runs in the background. */
export function createAutomationApp(
  { worker, dispatchKey, waitUntil, log, sql }: AutomationAppDeps,
): Hono<{ Variables: AppVariables }> {
  const app = createApp<AppVariables>({ name: "automation", log, sql });
  mountRoutes(app, [{
    method: "POST",
    path: "/",
    handler: (c) => {
      if (!equalsConstantTime(c.req.header("apikey") ?? "", dispatchKey)) {
        throw new ApiError(
          "unauthorized",
          'Header "apikey" must contain the secret key for dispatch',
        );
      }
      waitUntil(worker.wake());
      return c.json({ ok: true }, 202);
    },
  }]);
  return app;
}
