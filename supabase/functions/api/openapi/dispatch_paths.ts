import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { refer } from "./errors.ts";

/** Operations of the webhook-dispatch function. */
export const dispatchPaths: ZodOpenApiPathsObject = {
  "/webhook-dispatch": {
    post: {
      operationId: "wakeDispatcher",
      tags: ["Service"],
      summary: "Send due messages",
      description:
        "Called by the database and its schedule. Responds immediately and continues to work.",
      security: [{ dispatchKey: [] }],
      responses: {
        202: {
          description: "Woken.",
          headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
          content: {
            "application/json": { schema: z.object({ ok: z.literal(true) }).meta({ id: "Woken" }) },
          },
        },
        ...refer([401, 500, 503]),
      },
    },
  },
};
