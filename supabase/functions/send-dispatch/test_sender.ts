import { ApiError } from "../_shared/errors/errors.ts";
import type { Cells } from "../_shared/config/cells.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { createUuidV7 } from "../_shared/ids/uuid_v7.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";
import type { SenderTester, SenderTestRequest } from "../_shared/senders/sender_test.ts";
import type { HandOverTo, ProviderName } from "./providers/hand_over.ts";
import type { EmailMessage } from "./providers/provider.ts";
import { splitAddress } from "./providers/split_address.ts";

export interface SenderTestDeps {
  cells: Cells<Sql>;
  secretBox: SecretBox;
  handOver: HandOverTo;
  now: () => Date;
}

/** A sender with its credentials as ciphertext. */
interface FoundSender {
  provider: ProviderName;
  name: string;
  from_address: string;
  reply_to: string | null;
  config: Record<string, unknown>;
  ciphertext: string | null;
}

/** Creates the function that hands a test mail to the provider of a sender. */
export function createSenderTester(deps: SenderTestDeps): SenderTester {
  return async (request) => {
    const sender = await findSender(deps, request);
    const message = createTestMessage(sender, { to: request.to, now: deps.now() });
    const result = await deps.handOver(sender.provider, {
      message,
      config: await readConfig(deps.secretBox, sender, request),
      senderId: request.sender_id,
      concurrency: 1,
    });
    return {
      ok: result.outcome === "sent",
      outcome: result.outcome,
      reason: result.reason,
      status_code: result.statusCode,
      response: result.response,
      provider_id: result.providerId,
      message_id: message.messageId,
      duration_ms: result.durationMs,
    };
  };
}

async function findSender(
  { cells }: SenderTestDeps,
  { cell, workspace_id, sender_id }: SenderTestRequest,
): Promise<FoundSender> {
  const sql = cells.get(cell);
  if (sql === undefined) throw new ApiError("not_found", "Sender does not exist");
  const rows = await sql<FoundSender[]>`
    select s.provider, s.name, s.from_address, s.reply_to, s.config, s.ciphertext
    from private.find_sender(${workspace_id}, ${sender_id}) as s
  `;
  const [sender] = rows;
  if (sender === undefined) throw new ApiError("not_found", "Sender does not exist");
  return sender;
}

async function readConfig(
  secretBox: SecretBox,
  { config, ciphertext }: FoundSender,
  { workspace_id: workspaceId, sender_id: id }: SenderTestRequest,
): Promise<Record<string, unknown>> {
  if (ciphertext === null) return config;
  const secrets = await secretBox.decrypt({ kind: "sender", workspaceId, id }, ciphertext);
  return { ...config, ...JSON.parse(secrets) };
}

function createTestMessage(
  { name, from_address, reply_to }: FoundSender,
  { to, now }: { to: string; now: Date },
): EmailMessage {
  const sendId = createUuidV7(now);
  const domain = splitAddress(from_address).email.split("@").at(-1);
  return {
    sendId,
    messageId: `<${sendId}@${domain}>`,
    from: from_address,
    replyTo: reply_to,
    to,
    subject: `Test of the sender ${name}`,
    html: null,
    text: `This mail was sent to test the sender "${name}". It arrived.\n`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
