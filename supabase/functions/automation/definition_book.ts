import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import type { Sql } from "../_shared/db/connect.ts";
import type { Definition } from "../_shared/journeys/definition.ts";
import { findDefinitions, type VersionKey } from "./run_queue.ts";

/** Definitions of versions, read once: they never change. */
export interface DefinitionBook {
  /** Reads the definitions of these versions that are not known yet. */
  load(versions: readonly VersionKey[]): Promise<void>;
  /** Returns a definition that was loaded. */
  find(version: VersionKey): Definition | undefined;
}

const maxKnown = 200;
const nameOf = ({ workspace_id, journey_id, version }: VersionKey) =>
  `${workspace_id} ${journey_id} ${version}`;

/** Creates an empty book. */
export function createDefinitionBook(sql: Sql): DefinitionBook {
  const known = new BoundedMap<string, Definition>(maxKnown);
  return {
    async load(versions) {
      const missing = new Map(
        versions.filter((version) => known.get(nameOf(version)) === undefined)
          .map(({ workspace_id, journey_id, version }) => {
            const key = { workspace_id, journey_id, version };
            return [nameOf(key), key];
          }),
      );
      if (missing.size === 0) return;
      for (const { definition, ...key } of await findDefinitions(sql, [...missing.values()])) {
        known.set(nameOf(key), definition);
      }
    },
    find: (version) => known.get(nameOf(version)),
  };
}
