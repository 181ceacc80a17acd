import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { id, uuid } from "../contract/fields.ts";
import { quotaHeaders, refer } from "./errors.ts";

const received = z.object({
  ok: z.boolean().meta({ description: "No entry was refused." }),
  receipt_id: id,
  accepted: z.int(),
  duplicates: z.int(),
  ignored: z.int(),
  rejected: z.int(),
}).meta({ id: "Received" });

const handshake = z.record(z.string(), z.unknown()).meta({
  id: "Handshake",
  description: "What the other system wants to hear before it sends anything.",
});

/** The operations of the inbound function. */
export const inboundPaths: ZodOpenApiPathsObject = {
  "/inbound/{source_id}": {
    post: {
      operationId: "receiveWebhook",
      tags: ["Inbound webhooks"],
      summary: "Take in another system's webhook",
      description: "The signature is that of the source's scheme, over the raw body; Mailgun and " +
        "SNS sign in the body. At most 1 MiB, 4,000 items and as many entries, and 8 MiB of " +
        "entries built.",
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
          description: "Received; what became of it is listed with the source.",
          headers: quotaHeaders,
          content: { "application/json": { schema: z.union([received, handshake]) } },
        },
        ...refer([400, 401, 404, 413, 415, 429, 500, 503]),
      },
    },
  },
};
