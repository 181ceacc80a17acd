import { customer } from "../../contract/customers.ts";
import { findNearName } from "../../../_shared/entries/near_name.ts";

const customerFields = Object.keys(customer.shape);

/** Variables of every template; a list has the names inside of a variable, if they are known. */
const variables = new Map<string, readonly string[] | null>([
  ["customer", customerFields],
  ["trigger", null],
  ["workspace", ["id", "name"]],
  ["unsubscribe_url", null],
  ["preferences_url", null],
  ["now", null],
]);

/** Names of the variables of every template. */
export const variableNames: readonly string[] = [...variables.keys()];

/** Most warnings with a suggestion: to find one takes longer than to read a variable. */
const maxSuggestions = 50;

/** Returns a warning for each path of names that is empty for every customer. */
export function checkVariables(paths: readonly (readonly string[])[]): string[] {
  const unknown = paths.filter((names) => !isVariable(names));
  const byPath = new Map(unknown.map((names) => [names.join("."), names]));
  return [...byPath].sort(([one], [other]) => one < other ? -1 : 1).map(([path, names], index) => {
    const meant = index < maxSuggestions ? findMeant(names) : undefined;
    const warning = `Variable "${path}" is always empty`;
    return meant === undefined ? warning : `${warning}: did you mean "${meant.join(".")}"?`;
  });
}

function isVariable([root, field]: readonly string[]): boolean {
  const fields = variables.get(root!);
  if (fields === undefined) return false;
  if (fields === null || field === undefined) return true;
  // Liquid counts the fields of any object.
  return field === "size" || fields.includes(field);
}

/** Returns the path that the author probably meant. */
function findMeant([root = "", field = "", ...rest]: readonly string[]): string[] | undefined {
  if (!variables.has(root)) {
    const near = findNearName(root, variableNames);
    const inside = field === "" ? rest : [field, ...rest];
    if (near !== undefined) return [near, ...inside];
    const own = findNearName(root, customerFields);
    return own === undefined ? undefined : ["customer", own, ...inside];
  }
  const near = findNearName(field, variables.get(root) ?? []);
  if (near !== undefined) return [root, near, ...rest];
  return root === "customer" ? [root, "attributes", field, ...rest] : undefined;
}
