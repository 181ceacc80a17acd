import { z } from "zod";
import { findReceipt } from "./receipt_queries.ts";
import { uuid } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { receiptDetail } from "../../contract/sources.ts";

export const getReceipt = defineRoute({
  operationId: "getReceipt",
  method: "GET",
  path: "/sources/{id}/receipts/{receipt_id}",
  tag: "Sources",
  summary: "Get a receipt of a source",
  scopes: ["sources:read"],
  leastRole: "viewer",
  params: z.strictObject({ id: uuid, receipt_id: uuid }),
  entity: "Receipt",
  status: 200,
  response: receiptDetail,
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, sourceId: params.id, receiptId: params.receipt_id };
    return requireFound(await findReceipt(tx, key), "Receipt");
  },
});
