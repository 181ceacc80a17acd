import type { ApiService } from "../../kernel/route.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { checkConfig, type CheckedConfig, type StoredConfig } from "./check_config.ts";
import { type SenderFields, writeSecret } from "./sender_queries.ts";

interface Written extends SenderFields {
  provider: NonNullable<SenderFields["provider"]>;
}

/** Checks the provider and configuration of a sender: see `checkConfig`. */
export function checkWritten(
  { provider, config }: Written,
  stored: StoredConfig | undefined,
  { allowedRanges, isHosted, hasInbox }: ApiService,
): CheckedConfig {
  return checkConfig({ provider, config }, stored, { allowedRanges, isHosted, hasInbox });
}

/** Encrypts the secret of a sender for it alone and stores it; undefined keeps the stored one. */
export async function saveSecrets(
  tx: CallerSql,
  { workspaceId, senderId, secrets, service }: {
    workspaceId: string;
    senderId: string;
    secrets: CheckedConfig["secrets"];
    service: ApiService;
  },
): Promise<void> {
  if (secrets === undefined) return;
  const owner = { kind: "sender", workspaceId, id: senderId } as const;
  const ciphertext = secrets === null ? null : await service.secretBox.encrypt(owner, secrets);
  await writeSecret(tx, { workspaceId, senderId, ciphertext });
}
