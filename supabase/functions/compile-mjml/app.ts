import type { Hono } from "hono";
import { ApiError, invalidInput } from "../_shared/errors/errors.ts";
import { readJson } from "../_shared/http/body.ts";
import { type AppVariables, createApp, mountRoutes } from "../_shared/http/http_app.ts";
import type { Log } from "../_shared/log/log.ts";
import { equalsConstantTime } from "../_shared/secrets/signing.ts";
import { mjmlSource } from "../_shared/templates/compiled_mjml.ts";
import { compileMjml } from "./compile_mjml.ts";

export interface CompileAppDeps {
  /** The platform's secret key named `dispatch`, which the api sends in the header `apikey`. */
  dispatchKey: string;
  log: Log;
}

/** JSON writes a character of the source as up to 6 bytes. */
const bodyLimits = { wireBytes: 2 * 1024 * 1024, inflatedBytes: 2 * 1024 * 1024 };

/** Creates `POST /compile-mjml`, which compiles `{ mjml }` to `{ html, errors }`. */
export function createCompileApp(
  { dispatchKey, log }: CompileAppDeps,
): Hono<{ Variables: AppVariables }> {
  const app = createApp<AppVariables>({ name: "compile-mjml", log });
  mountRoutes(app, [{
    method: "POST",
    path: "/",
    async handler(c) {
      if (!equalsConstantTime(c.req.header("apikey") ?? "", dispatchKey)) {
        throw new ApiError(
          "unauthorized",
          'Header "apikey" must contain the secret key for dispatch',
        );
      }
      const body = mjmlSource.safeParse(await readJson(c.req.raw, bodyLimits));
      if (!body.success) {
        throw invalidInput(body.error.issues.map(({ path, message }) => ({
          field: path.join("."),
          message,
        })));
      }
      return c.json(await compileMjml(body.data.mjml));
    },
  }]);
  return app;
}
