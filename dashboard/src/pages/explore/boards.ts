import type { View } from "../../api/types.ts";

/** Start of the draft's name for the board of a question. Its id follows. */
export const boardOfView = "view-board:";

const order = new Intl.Collator("en", { numeric: true });

/** The names of the boards of questions, in order. */
export function listBoards(views: readonly View[]): string[] {
  return [...new Set(views.flatMap(({ board }) => board ?? []))].sort(order.compare);
}

/**
 * The questions of a board, or all of them, by name: so each has its place, and a number in front of
 * a name chooses it.
 */
export function questionsOf(views: readonly View[], board: string | undefined): View[] {
  return views.filter((view) => board === undefined || view.board === board)
    .toSorted((a, b) => order.compare(a.name, b.name));
}
