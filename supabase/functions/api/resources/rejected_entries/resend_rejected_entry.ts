import { z } from "zod";
import { findRejectedEntry, resendEntries } from "./rejected_entry_queries.ts";
import { takeIngestTokens } from "../../../_shared/rate_limit/rate_limits.ts";
import { record } from "../../../_shared/entries/fields.ts";
import { ApiError } from "../../../_shared/platform/errors.ts";
import { createRateLimiter } from "../../../_shared/rate_limit/rate_limit.ts";
import { renameRefused } from "../../../_shared/segment/read_message.ts";
import { id, params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { type Call, defineRoute } from "../../kernel/route.ts";
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
  summary: "Send an entry again after its cause was fixed",
  description:
    "As it was, or as given in entry. One of an inbound source goes through the source's mapping " +
    "as it is now, and becomes 500 entries at most. What has no time of its own is dated " +
    "back to when it was refused. Costs one token of the bucket ingest for each entry, and counts " +
    "for the bytes a day.",
  scopes: ["track:write"],
  leastRole: "member",
  params,
  entity: "Rejected entry",
  body: z.strictObject({
    entry: record.optional()
      .meta({ description: "The entry as corrected, in the form of the door it came by." }),
  }),
  isBodyOptional: true,
  envelope: "entry",
  status: 200,
  answer: resent,
  errors: ["conflict"],
  action: "rejected_entry.resend",
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const key = { workspaceId, entryId: params.id };
    const row = requireFound(await findRejectedEntry(tx, key), "Rejected entry");
    if (row.is_truncated && body.entry === undefined) {
      throw new ApiError("conflict", "Cannot send entry again: it was too large to be kept whole");
    }
    const text = body.entry === undefined ? row.entry : JSON.stringify(body.entry);
    const texts = await readAgain(tx, { workspaceId, row, text });
    const results = await resendEntries(tx, { ...key, texts });
    const stored = results.map((result) => {
      if (!result.ok) {
        const { code, error } = row.door === "segment" ? renameRefused(result) : result;
        throw new ApiError(code, error);
      }
      const { event_id, customer_id, duplicate } = result;
      return { event_id, customer_id, ...duplicate && { duplicate } };
    });
    await audit(params.id, { is_mended: body.entry !== undefined });
    await payForEntries({ tx, workspaceId, service }, stored.length);
    return { results: stored };
  },
});

/** Takes a token for each entry, as `POST /track` does; over the quota, all is rolled back. */
async function payForEntries(
  { tx, workspaceId, service }: Pick<Call, "tx" | "workspaceId" | "service">,
  entries: number,
): Promise<void> {
  let grant: ReturnType<typeof takeIngestTokens> | undefined;
  // Of this call alone: tokens that are held for the next one would be given back by a rollback.
  const limiter = createRateLimiter({
    bucket: "ingest",
    now: service.now,
    takeTokens: (request) => grant = takeIngestTokens(tx, request),
  });
  await limiter.take(workspaceId, entries);
  // A limiter admits where its statement fails, but here that has ended the transaction.
  await grant;
}
