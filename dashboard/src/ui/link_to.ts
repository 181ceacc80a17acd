import { Link } from "@tanstack/react-router";

/** Filters of the linked page. Those without a value are left out. */
export type LinkSearch = Record<string, string | undefined>;

/** Props that turn a Mantine component into a link to a page of the dashboard. */
export function linkTo(to: string, search: LinkSearch = {}) {
  // The router knows the filters of literal paths only.
  return { component: Link, to, search: search as never } as const;
}
