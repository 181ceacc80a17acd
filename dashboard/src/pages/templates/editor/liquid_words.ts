import type { Completion } from "@codemirror/autocomplete";

/** Filters of the service that the language package does not list. */
const moreFilters =
  ("array_to_sentence_string base64_decode base64_encode cgi_escape date_to_long_string " +
    "date_to_rfc822 date_to_string date_to_xmlschema find find_exp find_index find_index_exp " +
    "group_by group_by_exp has has_exp hmac_sha256 inspect json jsonify normalize_whitespace " +
    "number_of_words pop push raw reject reject_exp remove_last replace_last sha256 shift slugify " +
    "squish to_integer unshift uri_escape where_exp xml_escape").split(" ");

/** Tags of other Liquids that the service refuses. */
export const refusedTags: ReadonlySet<string> = new Set(["include", "render"]);

export const extraFilters: readonly Completion[] = moreFilters.map((label) => ({
  label,
  type: "function",
}));

export const extraTags: readonly Completion[] = [{ label: "when", type: "keyword" }];

/** A variable that templates read, with what it is. */
interface KnownPath {
  path: string;
  detail: string;
}

const customerFields: readonly KnownPath[] = [
  { path: "customer.first_name", detail: "first name" },
  { path: "customer.last_name", detail: "last name" },
  { path: "customer.email", detail: "email address" },
  { path: "customer.phone", detail: "phone number" },
  { path: "customer.external_id", detail: "your ID of the customer" },
  { path: "customer.id", detail: "ID in Signalpost" },
  { path: "customer.country", detail: "country, such as GB" },
  { path: "customer.locale", detail: "language, such as pt-BR" },
  { path: "customer.timezone", detail: "time zone" },
  { path: "customer.attributes", detail: "your own fields" },
  { path: "customer.created_at", detail: "first seen" },
  { path: "customer.last_seen_at", detail: "last seen" },
];

/** Variables that every template has. */
export const knownPaths: readonly KnownPath[] = [
  ...customerFields,
  { path: "workspace.name", detail: "name of the workspace" },
  { path: "workspace.id", detail: "ID of the workspace" },
  { path: "trigger", detail: "data of the event or of the call" },
  { path: "unsubscribe_url", detail: "page to unsubscribe" },
  { path: "preferences_url", detail: "page with all topics" },
  { path: "now", detail: "time of sending" },
];

/** Returns the names at the start of all paths. */
export function completeVariables(): Completion[] {
  const roots = new Map<string, string>();
  for (const { path, detail } of knownPaths) {
    const [root = ""] = path.split(".");
    roots.set(root, path === root ? detail : roots.get(root) ?? "");
  }
  return [...roots].map(([label, detail]) => ({ label, detail, type: "variable" }));
}

/**
 * Returns the names that follow a path, such as `first_name` after `customer`.
 *
 * @param seen paths of attributes and of data that were found.
 */
export function completeProperties(path: readonly string[], seen: readonly string[]): Completion[] {
  const above = `${path.join(".")}.`;
  const found = new Map<string, string>();
  for (const { path, detail } of [...knownPaths, ...seen.map((path) => ({ path, detail: "" }))]) {
    if (!path.startsWith(above)) continue;
    const [name = "", ...rest] = path.slice(above.length).split(".");
    found.set(name, found.get(name) || (rest.length === 0 ? detail : ""));
  }
  return [...found].map(([label, detail]) => ({ label, detail, type: "property" }));
}
