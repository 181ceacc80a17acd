import {
  type Definition,
  type Referent,
  resolveReferences,
} from "../../../api/journey_definition.ts";
import type { NamedLists } from "./name_of.ts";

/** Writes ids for the keys of a definition: a draft may name by key what versions name by id. */
export function resolveNames(definition: Definition, lists: NamedLists): Definition {
  return resolveReferences(definition, listReferents(lists)).definition;
}

function listReferents(lists: NamedLists): Referent[] {
  return Object.entries(lists).flatMap(([kind, list]) =>
    list.flatMap(({ id, key }) =>
      [id, key].filter((name) => typeof name === "string")
        .map((name) => ({ kind, name, id, has_unsubscribe: null }))
    )
  );
}
