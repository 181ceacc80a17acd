import type { SearchHit } from "../api/types.ts";
import { capitalize } from "../format/capitalize.ts";
import { formatShort } from "../format/time.ts";
import { schemeTexts } from "../pages/sources/schemes.ts";

/** Types whose second line is a state. */
const withState: readonly SearchHit["type"][] = ["campaign", "run", "send", "receipt"];

/** Returns the second line of a hit: states, times and senders of sources as pages write them. */
export function describeHit(
  { type, subtitle }: Pick<SearchHit, "type" | "subtitle">,
): string | null {
  if (type === "source" && subtitle !== null && subtitle in schemeTexts) {
    return schemeTexts[subtitle as keyof typeof schemeTexts].label;
  }
  if (withState.includes(type) && subtitle !== null && /^[a-z_]+$/.test(subtitle)) {
    return capitalize(subtitle.replaceAll("_", " "));
  }
  const isTime = subtitle !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(subtitle);
  return isTime ? formatShort(subtitle) : subtitle;
}

/** Returns what the search offers about the emails of a customer whose whole address was typed. */
export function listEmailLinks(
  { type, id, title, subtitle }: SearchHit,
  typed: string,
): { title: string; link: { path: string; search: { customer_id: string } } }[] {
  const isAddress = typed.includes("@") &&
    [title, subtitle].some((text) => text?.toLowerCase() === typed.toLowerCase());
  if (type !== "customer" || id === null || !isAddress) return [];
  const search = { customer_id: id };
  return [
    { title: `Emails to ${typed}`, link: { path: "/sends", search } },
    { title: `Why wasn’t it sent to ${typed}?`, link: { path: "/sends/explain", search } },
  ];
}
