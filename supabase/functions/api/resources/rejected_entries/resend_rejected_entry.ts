import { z } from "zod";
import { findRejectedEntry, resendEntries } from "./rejected_entry_queries.ts";
import { takeIngestTokens } from "../../../_shared/rate_limit/rate_limits.ts";
import { record } from "../../../_shared/entries/fields.ts";
import { ApiError } from "../../../_shared/errors/errors.ts";
import { createRateLimiter } from "../../../_shared/rate_limit/rate_limit.ts";
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
  summary: "Resend a rejected entry",
  description:
    "Resends the stored entry, or the corrected one given in `entry`. An entry from an inbound " +
    "source uses the source's current mapping, and may produce up to 500 entries. An entry " +
    "without a time gets the time of its rejection. Each entry costs one token of the bucket " +
    "`ingest`, and counts towards the daily bytes.",
  scopes: ["track:write"],
  leastRole: "member",
  params,
  entity: "Rejected entry",
  body: z.strictObject({
    entry: record.optional()
      .meta({ description: "The corrected entry, in its original format." }),
  }),
  isBodyOptional: true,
  envelope: "entry",
  status: 200,
  response: resent,
  errors: ["conflict"],
  action: "rejected_entry.resend",
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const key = { workspaceId, entryId: params.id };
    const row = requireFound(await findRejectedEntry(tx, key), "Rejected entry");
    // Concurrent calls also meet the lock of private.resend_entries().
    if (row.resent_at !== null) {
      throw new ApiError("conflict", "Cannot resend entry: it was already resent");
    }
    if (row.is_truncated && body.entry === undefined) {
      throw new ApiError(
        "conflict",
        "Cannot resend entry: it was too large to be stored completely",
      );
    }
    const text = body.entry === undefined ? row.entry : JSON.stringify(body.entry);
    const { texts, format } = await readAgain(tx, { workspaceId, row, text });
    const results = await resendEntries(tx, { ...key, texts });
    const stored = results.map((result) => {
      if (!result.ok) {
        const { code, error } = format.rename(result);
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

/** Takes a token per entry, like `POST /track`; exceeding the quota rolls everything back. */
async function payForEntries(
  { tx, workspaceId, service }: Pick<Call, "tx" | "workspaceId" | "service">,
  entries: number,
): Promise<void> {
  let grant: ReturnType<typeof takeIngestTokens> | undefined;
  // Used for this call only: a rollback would return tokens reserved for later calls.
  const limiter = createRateLimiter({
    bucket: "ingest",
    now: service.now,
    takeTokens: (request) => grant = takeIngestTokens(tx, request),
  });
  await limiter.take(workspaceId, entries);
  // A limiter admits calls if its statement fails, but here the failure has ended the transaction.
  await grant;
}
