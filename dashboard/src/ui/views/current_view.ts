import { type HistoryState, useLocation, useNavigate } from "@tanstack/react-router";
import type { View } from "../../api/types.ts";
import { linkTo } from "../link_to.ts";
import { passing, useFilters } from "../../url/use_filters.ts";

/** Start of the draft's name for a view that is renamed. Its id follows. */
export const renamedView = "view-name:";

/** Filters and columns, as a view saves them. */
export type ViewContents = Pick<View, "filters" | "columns">;

/** The filters and columns in the page's address. */
export function useCurrentContents(): ViewContents {
  const given = Object.entries(useFilters().filters) as [string, string | undefined][];
  const filters = given.filter((entry): entry is [string, string] =>
    entry[1] !== undefined && !passing.includes(entry[0])
  );
  const columns = given.find(([name]) => name === "columns")?.[1];
  return { filters: Object.fromEntries(filters), columns: columns?.split(",") ?? null };
}

/** The view that is open: the one that was opened last, or one with exactly these contents. */
export function useOpenedView(views: readonly View[], contents: ViewContents): View | undefined {
  const openedId = useLocation({ select: ({ state }) => state.view });
  return views.find(({ id }) => id === openedId) ??
    views.find((view) => isSameContents(view, contents));
}

/** Returns whether two views show the same. */
export function isSameContents(a: ViewContents, b: ViewContents): boolean {
  return write(a) === write(b);
}

function write({ filters, columns }: ViewContents): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([sorted, columns]);
}

/** Props of a link to a list that shows exactly what a view says, and remembers it as the open one. */
export function linkToView(to: string, view: View) {
  const link = linkTo(to, searchOfView(view));
  return {
    ...link,
    state: (before: HistoryState): HistoryState => ({ ...link.state(before), view: view.id }),
  };
}

/** The parameters of an address that shows what a view says. */
export function searchOfView({ filters, columns }: ViewContents): Record<string, string> {
  return { ...filters, ...columns ? { columns: columns.join(",") } : {} };
}

/** Functions that show exactly what a view says, and that remember a new view as the open one. */
export function useOpenView() {
  const navigate = useNavigate();
  return {
    open: (view: View) => {
      // The router knows the filters of literal paths only.
      void navigate({
        to: ".",
        search: searchOfView(view) as never,
        state: (before) => ({ ...before, view: view.id }),
      });
    },
    remember: ({ id }: View) =>
      void navigate({
        to: ".",
        search: true as never,
        state: (before) => ({ ...before, view: id }),
        replace: true,
      }),
  };
}
