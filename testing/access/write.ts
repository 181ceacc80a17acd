import type { Right } from "./actors.ts";
import type { Entities } from "./api_entities.ts";

/** Statement that writes, and the right that it needs. */
export interface Write {
  title: string;
  statement: (entities: Entities) => string;
  right: Right;
}
