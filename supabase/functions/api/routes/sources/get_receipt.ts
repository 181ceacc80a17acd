import { z } from "zod";
import { findReceipt } from "../../../_shared/db/receipts.ts";
import { uuid } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { receiptDetail } from "./schema.ts";

export const getReceipt = defineRoute({
  operationId: "getReceipt",
  method: "GET",
  path: "/sources/{id}/receipts/{receipt_id}",
  tag: "Sources",
  summary: "Read what a source received, and what became of it",
  scopes: ["sources:read"],
  leastRole: "viewer",
  params: z.strictObject({ id: uuid, receipt_id: uuid }),
  status: 200,
  answer: receiptDetail,
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, sourceId: params.id, receiptId: params.receipt_id };
    return requireFound(await findReceipt(tx, key), "Receipt");
  },
});
