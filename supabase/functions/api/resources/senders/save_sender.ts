import type { ApiService } from "../../kernel/route.ts";
import type { CallerSql } from "../../kernel/caller.ts";
import { checkConfig, type CheckedConfig, type StoredConfig } from "./check_config.ts";
import { type SenderFields, touchSender, writeSecret } from "./sender_queries.ts";

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

interface SavedSecrets {
  workspaceId: string;
  senderId: string;
  /** undefined keeps the stored one. */
  secrets: CheckedConfig["secrets"];
  service: ApiService;
  /** True for a sender that was just created. */
  isNew?: boolean;
}

/** Encrypts the secret of a sender for it alone and stores it. */
export async function saveSecrets(
  tx: CallerSql,
  { workspaceId, senderId, secrets, service, isNew = false }: SavedSecrets,
): Promise<void> {
  if (secrets === undefined) return;
  const owner = { kind: "sender", workspaceId, id: senderId } as const;
  const ciphertext = secrets === null ? null : await service.secretBox.encrypt(owner, secrets);
  const hasChanged = await writeSecret(tx, { workspaceId, senderId, ciphertext });
  if (hasChanged && !isNew) await touchSender(tx, { workspaceId, senderId });
}
