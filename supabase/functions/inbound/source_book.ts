import { findInboundSources, type InboundSourceRow } from "./inbound_queries.ts";
import { findOrRedirect, type Moved } from "../_shared/access/find_or_redirect.ts";
import type { CellDatabases } from "../_shared/db/connect.ts";
import type { HmacSettings } from "../_shared/sources/hmac.ts";
import type { MappingRules } from "../_shared/sources/mapping.ts";
import type { Scheme } from "../_shared/sources/sources.ts";
import { createGroupLookup } from "../_shared/cache/group_lookup.ts";
import { createLookupCache } from "../_shared/cache/lookup_cache.ts";
import { uuidForm } from "../_shared/ids/uuid.ts";
import type { SecretBox } from "../_shared/secrets/secrets.ts";

/** An enabled source as it was at most ten seconds ago. */
export interface Source {
  id: string;
  workspaceId: string;
  scheme: Scheme;
  hmac: HmacSettings | null;
  topicArn: string | null;
  rules: MappingRules;
  /** Newest first; some may have expired since. */
  secrets: readonly { secret: string; expiresAt: Date | null }[];
}

type Found = Source | Moved | undefined;

export interface SourceBook {
  /** Returns the source with this id; undefined if it is unknown, disabled or malformed. */
  find(id: string): Promise<Found> | Found;
  /** Forgets what is cached about a source. */
  forget(id: string): void;
}

/** Looks up sources and decrypts their secrets, with a bounded cache. */
export function createSourceBook(
  { sql, otherCells, secrets, now }: CellDatabases & { secrets: SecretBox; now: () => Date },
): SourceBook {
  const isSingle = (otherCells?.size ?? 0) === 0;
  const group = createGroupLookup<string, InboundSourceRow | Moved>({
    noun: "sources",
    lookUp: (ids: readonly string[]) =>
      isSingle ? findInboundSources(sql, ids) : findOrRedirect({
        sql,
        keys: ids,
        find: (some) => findInboundSources(sql, some),
        addressOf: (id) => id.replaceAll("-", ""),
      }),
  });
  const cache = createLookupCache<Source | Moved>({
    now,
    isPossible: (id) => uuidForm.test(id),
    async lookUp(id, wasKnown) {
      const row = await group.find(id, wasKnown);
      if (row === undefined || "movedTo" in row) return row;
      const { workspaceId, scheme, hmac, topicArn, preset, mapping } = row;
      const owner = { kind: "source", workspaceId, id } as const;
      const live = row.secrets.map(async ({ ciphertext, expires_at }) => ({
        secret: await secrets.decrypt(owner, ciphertext),
        expiresAt: expires_at === null ? null : new Date(expires_at),
      }));
      return {
        id,
        workspaceId,
        scheme,
        hmac,
        topicArn,
        rules: { preset, mapping },
        secrets: await Promise.all(live),
      };
    },
  });
  return { find: (id) => cache.get(id), forget: (id) => cache.forget(id) };
}
