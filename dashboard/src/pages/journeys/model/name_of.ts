/** Kinds of resources that a definition refers to. */
export type NamedKind = "template" | "sender" | "topic" | "segment" | "destination" | "journey";

/** Paths of the lists of each kind, inside a workspace. */
export const listPaths: Readonly<Record<NamedKind, string>> = {
  template: "/templates",
  sender: "/senders",
  topic: "/topics",
  segment: "/segments",
  destination: "/destinations",
  journey: "/journeys",
};

/** Returns the name of a resource that a definition refers to by id or key. */
export type NameOf = (kind: NamedKind, reference: unknown) => string;

/** A resource as a list shows it. */
export interface Named {
  id: string;
  key?: string | null;
  name: string;
}

/** The resources of each kind; empty until they have loaded. */
export type NamedLists = Readonly<Record<NamedKind, readonly Named[]>>;

/** Finds a resource by its id or key. */
export function findNamed(list: readonly Named[], reference: unknown): Named | undefined {
  return list.find(({ id, key }) => id === reference || (key && key === reference));
}

/** Makes a function that names resources; unknown ones keep their id or key. */
export function makeNameOf(lists: NamedLists): NameOf {
  return (kind, reference) => {
    const text = typeof reference === "string" ? reference : "";
    return findNamed(lists[kind], text)?.name ?? text;
  };
}
