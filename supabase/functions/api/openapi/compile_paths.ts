import type { ZodOpenApiPathsObject } from "zod-openapi";
import { compiledMjml, mjmlSource } from "../../_shared/templates/compiled_mjml.ts";
import { idHeader, refer } from "./errors.ts";

/** Operations of the compile-mjml function. */
export const compilePaths: ZodOpenApiPathsObject = {
  "/compile-mjml": {
    post: {
      operationId: "compileMjml",
      tags: ["Service"],
      summary: "Compile MJML to HTML",
      description: "Called by `api` when a template with MJML is saved. Stores nothing.",
      security: [{ dispatchKey: [] }],
      requestBody: { required: true, content: { "application/json": { schema: mjmlSource } } },
      responses: {
        200: {
          description: "Compiled, or the errors of the source.",
          headers: idHeader,
          content: { "application/json": { schema: compiledMjml } },
        },
        ...refer([400, 401, 413, 415, 500]),
      },
    },
  },
};
