type Lists = Readonly<Record<string, string>>;

/** As many lists are remembered: a browser stores little with an entry of its history. */
const mostLists = 10;

/** Adds the filters of a page to those of the pages before it, by their paths; the newest last. */
export function addList(
  lists: Lists | undefined = {},
  { pathname, search }: { pathname: string; search: string },
): Lists {
  const { [pathname]: _, ...others } = lists;
  if (search === "") return others;
  return Object.fromEntries([...Object.entries(others), [pathname, search]].slice(-mostLists));
}
