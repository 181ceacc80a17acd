import { z } from "zod";
import { findRejectedEntry, resendEntries } from "../../../_shared/db/rejected_entries.ts";
import { record } from "../../../_shared/entries/fields.ts";
import { ApiError } from "../../../_shared/errors.ts";
import { renameRefused } from "../../../_shared/segment/read_message.ts";
import { id, params } from "../../fields.ts";
import { requireFound } from "../../found.ts";
import { defineRoute } from "../../route.ts";
import { readAgain } from "./read_again.ts";

const resent = z.object({
  results: z.array(z.object({
    event_id: id,
    customer_id: id,
    duplicate: z.boolean().optional(),
  })),
}).meta({ id: "ResentEntry" });

export const resendRejectedEntry = defineRoute({
  operationId: "resendRejectedEntry",
  method: "POST",
  path: "/rejected-entries/{id}/resend",
  tag: "Rejected entries",
  summary: "Send an entry again after its cause was mended",
  description:
    "As it was, or as given in entry. One of an inbound source goes through the source's mapping " +
    "as it is now, and becomes 500 entries at most. What has no time of its own is dated " +
    "back to when it was refused.",
  scopes: ["track:write"],
  leastRole: "member",
  params,
  body: z.strictObject({
    entry: record.optional()
      .meta({ description: "The entry as mended, in the form of its door." }),
  }),
  isBodyOptional: true,
  envelope: "entry",
  status: 200,
  answer: resent,
  errors: ["conflict"],
  action: "rejected_entry.resend",
  async handle({ tx, workspaceId, params, body, audit }) {
    const key = { workspaceId, entryId: params.id };
    const row = requireFound(await findRejectedEntry(tx, key), "Rejected entry");
    if (row.is_truncated && body.entry === undefined) {
      throw new ApiError("conflict", "Cannot send entry again: it was too large to be kept whole");
    }
    const text = body.entry === undefined ? row.entry : JSON.stringify(body.entry);
    const texts = await readAgain(tx, { workspaceId, row, text });
    const results = await resendEntries(tx, { ...key, texts });
    await audit(params.id, { is_mended: body.entry !== undefined });
    return {
      results: results.map((result) => {
        if (!result.ok) {
          const { code, error } = row.door === "segment" ? renameRefused(result) : result;
          throw new ApiError(code, error);
        }
        const { event_id, customer_id, duplicate } = result;
        return { event_id, customer_id, ...duplicate && { duplicate } };
      }),
    };
  },
});
