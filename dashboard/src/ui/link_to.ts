import { type HistoryState, Link } from "@tanstack/react-router";
import { addList } from "../url/add_list.ts";

/** Filters of the linked page. Those without a value are left out. */
export type LinkSearch = Record<string, string | undefined>;

/** Props that turn a Mantine component into a link to a page of the dashboard. */
export function linkTo(to: string, search: LinkSearch = {}) {
  // The router knows the filters of literal paths only.
  return { component: Link, to, search: search as never, state: keepWay } as const;
}

/** Lets the linked page lead back to this list as it is filtered. */
function keepWay({ lists }: HistoryState): HistoryState {
  return { lists: addList(lists, location) };
}
