import type { z } from "zod";
import { findReceipt, type SourceReceiptDetail } from "./receipt_queries.ts";
import { findCallersCustomers, findSource, type Source } from "./source_queries.ts";
import { maxBulkEntries } from "../../../_shared/entries/schemas.ts";
import { ApiError, invalidInput } from "../../../_shared/errors/errors.ts";
import { withoutSignature } from "../../../_shared/sources/body_signature.ts";
import { readMessageId } from "../../../_shared/sources/message_id.ts";
import { readPayload } from "../../../_shared/sources/payload.ts";
import { type Prepared, prepareMessage } from "../../../_shared/sources/prepare.ts";
import { createCharacterBudget } from "../../../_shared/sources/character_budget.ts";
import { params } from "../../contract/fields.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { type Call, defineRoute } from "../../kernel/route.ts";
import { mappingResult, mappingTest, requireName } from "../../contract/sources.ts";

export const testMapping = defineRoute({
  operationId: "testMapping",
  method: "POST",
  path: "/sources/{id}/test",
  tag: "Sources",
  summary: "Test a mapping on a payload",
  description:
    "Stores nothing. Uses a payload that you give or one that the source received, with up to " +
    "500 items.",
  scopes: ["sources:write"],
  leastRole: "member",
  params,
  entity: "Source",
  body: mappingTest,
  status: 200,
  response: mappingResult,
  errors: ["conflict"],
  isDry: true,
  action: "source.test",
  async handle({ tx, workspaceId, params, body, service, audit }) {
    const key = { workspaceId, sourceId: params.id };
    const source = requireFound(await findSource(tx, key), "Source");
    const rules = {
      preset: body.preset === undefined ? source.preset : body.preset,
      mapping: body.mapping === undefined ? source.mapping : body.mapping,
    };
    requireName(rules);
    const received = await readReceived(tx, { source, workspaceId, body });
    const prepared = await prepareMessage(
      { ...key, ...received, rules, receivedAt: service.now().getTime() },
      {
        budget: createCharacterBudget(),
        findByEmail: (emails) => findCallersCustomers(tx, { workspaceId, emails }),
        maxEntries: maxBulkEntries,
      },
    );
    await audit(params.id, { results: prepared.length });
    return { results: prepared.map(describe) };
  },
});

interface Attempt {
  source: Source;
  workspaceId: string;
  body: z.output<typeof mappingTest>;
}

/** Reads a receipt's payload the way the inbound function does. */
async function readReceived(tx: Call["tx"], { source, workspaceId, body }: Attempt) {
  const receipt = await findTried(tx, { source, workspaceId, body });
  const headers = { ...receipt?.headers, ...body.headers } as Record<string, string>;
  const bytes = new TextEncoder().encode(receipt?.body ?? body.payload ?? "");
  const { scheme } = source;
  const contentType = body.content_type ?? headers["content-type"];
  const payload = namingFields(body, () => readPayload({ scheme, body: bytes, contentType }));
  return {
    payload: withoutSignature(scheme, payload),
    headers,
    messageId: receipt?.message_id ?? readMessageId({ scheme, headers, payload, body: bytes }),
  };
}

/** Runs `read`; its errors name the field with the payload, which to `read` is a request's body. */
function namingFields<Payload>(body: Attempt["body"], read: () => Payload): Payload {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "unsupported_media_type") {
      const field = body.content_type === undefined ? "headers.content-type" : "content_type";
      throw invalidInput([{ field, message: "must be that of JSON or of a form, in UTF-8" }]);
    }
    if (error.code !== "invalid_json") throw error;
    const field = body.payload === undefined ? "receipt_id" : "payload";
    const message = error.message.replace(/^Body is not valid/, "must be valid");
    throw invalidInput([{ field, message }]);
  }
}

async function findTried(
  tx: Call["tx"],
  { source, workspaceId, body }: Attempt,
): Promise<SourceReceiptDetail | undefined> {
  if (body.receipt_id === undefined) return undefined;
  const key = { workspaceId, sourceId: source.id, receiptId: body.receipt_id };
  const receipt = requireFound(await findReceipt(tx, key), "Receipt");
  if (receipt.body !== null) return receipt;
  throw new ApiError("conflict", "Cannot test the mapping: the receipt's body was not kept");
}

function describe(prepared: Prepared): z.output<typeof mappingResult>["results"][number] {
  switch (prepared.kind) {
    case "entry":
      return { kind: "entry", entry: prepared.entry };
    case "ignored":
      return { kind: "ignored", reason: prepared.reason };
    case "refused":
      return { kind: "refused", error: prepared.error, field: prepared.field };
  }
}
