import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { id, uuid } from "../contract/fields.ts";
import { quotaHeaders, refer } from "./errors.ts";

const received = z.object({
  ok: z.boolean().meta({ description: "True if no entry was rejected." }),
  receipt_id: id,
  accepted: z.int(),
  duplicates: z.int(),
  ignored: z.int(),
  rejected: z.int(),
}).meta({ id: "Received" });

const handshake = z.record(z.string(), z.unknown()).meta({
  id: "Handshake",
  description: "The confirmation that the other system expects before it sends webhooks.",
});

/** Operations of the inbound function. */
export const inboundPaths: ZodOpenApiPathsObject = {
  "/inbound/{source_id}": {
    post: {
      operationId: "receiveWebhook",
      tags: ["Inbound webhooks"],
      summary: "Receive a webhook from another system",
      description:
        "The source's scheme signs the raw body in a header; Mailgun and SNS sign in the " +
        "body. Limits: 1 MiB, 4,000 items, 4,000 entries, and 8 MiB of entries after mapping.",
      security: [{ signature: [] }],
      requestParams: { path: z.object({ source_id: uuid }) },
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: z.record(z.string(), z.unknown()) },
          "application/x-www-form-urlencoded": { schema: z.record(z.string(), z.string()) },
          "text/plain": { schema: z.string().meta({ description: "JSON, as SNS sends it." }) },
        },
      },
      responses: {
        200: {
          description: "Received. The source's receipts list the result.",
          headers: quotaHeaders,
          content: { "application/json": { schema: z.union([received, handshake]) } },
        },
        ...refer([400, 401, 404, 413, 415, 429, 500, 503]),
      },
    },
  },
};
