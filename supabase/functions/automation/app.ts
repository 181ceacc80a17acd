import type { Context, Hono } from "hono";
import { z } from "zod";
import { type CellDatabases, listCells } from "../_shared/db/connect.ts";
import { databaseErrorCode } from "../_shared/db/errors.ts";
import { ApiError, invalidInput } from "../_shared/errors/errors.ts";
import { readJson } from "../_shared/http/body.ts";
import { type AppVariables, createApp, mountRoutes } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/log/log.ts";
import { equalsConstantTime } from "../_shared/secrets/signing.ts";
import type { AutomationWorker } from "./automation_worker.ts";
import { simulate, type Simulation } from "./simulate.ts";

export interface AutomationAppDeps extends CellDatabases {
  worker: AutomationWorker;
  /** The platform's secret key named `dispatch`, which callers send in the header `apikey`. */
  dispatchKey: string;
  /** Keeps the function alive until the promise settles. */
  waitUntil: (work: Promise<void>) => void;
  log: Log;
}

/** Most levels of JSON: conditions within a definition. */
const maxDepth = 40;

const simulationInput = z.object({
  workspace_id: z.uuid(),
  journey_id: z.uuid(),
  /** The api has checked it. */
  definition: z.record(z.string(), z.unknown()),
  customer_id: z.uuid().optional(),
  profile: z.record(z.string(), z.unknown()).optional(),
  events: z.array(z.object({
    name: z.string(),
    at: z.iso.datetime({ offset: true }),
    properties: z.record(z.string(), z.unknown()).optional(),
  })).max(1_000).optional(),
  trigger: z.record(z.string(), z.unknown()).optional(),
  until: z.iso.datetime({ offset: true }),
});

/**
 * Creates `POST /automation`, which returns 202 immediately and moves due runs in the background,
 * and `POST /automation/simulate`, which runs a journey for one customer and changes nothing.
 */
export function createAutomationApp(deps: AutomationAppDeps): Hono<{ Variables: AppVariables }> {
  const { worker, waitUntil, log, sql } = deps;
  const app = createApp<AppVariables>({ name: "automation", log, sql });
  const requireKey = (c: Context) => {
    if (!equalsConstantTime(c.req.header("apikey") ?? "", deps.dispatchKey)) {
      throw new ApiError(
        "unauthorized",
        'Header "apikey" must contain the secret key for dispatch',
      );
    }
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
    path: "/simulate",
    handler: async (c) => {
      requireKey(c);
      const simulation = await readSimulation(c.req.raw);
      for (const cell of listCells(deps).values()) {
        try {
          return c.json(await simulate(cell, simulation, new Date()));
        } catch (error) {
          // The workspace may be in another cell.
          if (databaseErrorCode(error) !== "SP404") throw error;
        }
      }
      throw new ApiError("not_found", "Journey or customer does not exist");
    },
  }]);
  return app;
}

async function readSimulation(request: Request): Promise<Simulation> {
  const body = simulationInput.safeParse(await readJson(request, { maxDepth }));
  if (body.success) return body.data as unknown as Simulation;
  throw invalidInput(body.error.issues.map(({ path, message }) => ({
    field: path.join("."),
    message,
  })));
}
