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
        "The database calls this, directly and on a schedule. The function responds immediately " +
        "and continues to work.",
      security: [{ dispatchKey: [] }],
      responses: {
        202: {
          description: "The function was woken.",
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
