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
      description:
        "The function `api` calls this when a template with MJML is saved. Nothing is stored.",
      security: [{ dispatchKey: [] }],
      requestBody: { required: true, content: { "application/json": { schema: mjmlSource } } },
      responses: {
        200: {
          description: "The compiled HTML, or the errors in the source.",
          headers: idHeader,
          content: { "application/json": { schema: compiledMjml } },
        },
        ...refer([400, 401, 413, 415, 500]),
      },
    },
  },
};
