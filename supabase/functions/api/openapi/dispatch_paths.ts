import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { refer } from "./errors.ts";

/** The operations of the webhook-dispatch function. */
export const dispatchPaths: ZodOpenApiPathsObject = {
  "/webhook-dispatch": {
    post: {
      operationId: "wakeDispatcher",
      tags: ["Service"],
      summary: "Send what is due",
      description: "Called by the database and its schedule; answers at once and works on.",
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
