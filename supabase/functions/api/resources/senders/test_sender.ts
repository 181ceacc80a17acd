import { senderTestResult } from "../../../_shared/senders/sender_test.ts";
import { invalidInput } from "../../../_shared/errors/errors.ts";
import { namedParams } from "../../contract/resource_names.ts";
import { senderTest } from "../../contract/senders.ts";
import type { Caller } from "../../kernel/caller.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findSender } from "./sender_queries.ts";

export const testSender = defineRoute({
  operationId: "testSender",
  method: "POST",
  path: "/senders/{id}/test",
  tag: "Senders",
  summary: "Send a test mail now",
  description: "Returns the provider's answer. Works for a disabled sender too. The mail does " +
    "not count against any limit, and the list of sends does not show it.",
  scopes: ["senders:write"],
  leastRole: "member",
  params: namedParams,
  entity: "Sender",
  body: senderTest,
  isBodyOptional: true,
  status: 202,
  response: senderTestResult,
  errors: ["unavailable"],
  isDry: true,
  action: "sender.test",
  async handle({ tx, workspaceId, params, body, caller, service, audit, afterCommit }) {
    const found = await findSender(tx, { workspaceId, name: params.id });
    const { id } = requireFound(found, "Sender");
    const to = body.to ?? readOwnAddress(caller);
    if (to === undefined) throw invalidInput([{ field: "to", message: "is required for a key" }]);
    await audit(id);
    return afterCommit(() =>
      service.testSender({ cell: service.cell, workspace_id: workspaceId, sender_id: id, to })
    );
  },
});

function readOwnAddress(caller: Caller): string | undefined {
  const email = caller.kind === "session" ? caller.claims.email : undefined;
  return typeof email === "string" && email !== "" ? email : undefined;
}
