import type { Entities } from "../access/api_entities.ts";
import type { ApiWorld } from "./api_world.ts";

/** A valid call of a route on one of everything. */
export interface SampleCall {
  /** The entity that the path names, where it names one. */
  entity?: (entities: Entities) => string;
  /**
   * Creates a resource of the calling user, where the one in the workspace belongs to somebody
   * else.
   */
  makeOwn?: (world: ApiWorld, token: string) => Promise<string>;
  /** Path and query, given the entity's id. */
  path: (id: string, entities: Entities) => string;
  body?: unknown;
  /** Makes the body, where it names an entity. */
  bodyFor?: (entities: Entities) => unknown;
}

/** Returns the body of a sample call. */
export function bodyOf({ body, bodyFor }: SampleCall, entities: Entities): unknown {
  return bodyFor === undefined ? body : bodyFor(entities);
}
