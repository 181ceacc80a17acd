import { Link } from "@tanstack/react-router";

/** Filters of the page that a link leads to; those without a value are left out. */
export type LinkSearch = Record<string, string | undefined>;

/** Makes a Mantine component a link to a page of the dashboard. */
export function linkTo(to: string, search: LinkSearch = {}) {
  // The router knows the filters of a path only where the path is written out.
  return { component: Link, to, search: search as never } as const;
}
