import { useLocation, useNavigate } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.ts";
import { parseSearch } from "../url/search_params.ts";

/** Returns the address of a list, with the filters that this page was opened from. */
export function useListBefore(path: string) {
  const { id } = useWorkspace();
  const to = `/w/${id}${path}`;
  const filters = useLocation({ select: ({ state }) => state.lists?.[to] });
  return { to, search: parseSearch(filters ?? "") };
}

/** Returns a function that goes back to a list, as when its item was deleted. */
export function useReturn(path: string): () => void {
  const { to, search } = useListBefore(path);
  const navigate = useNavigate();
  // The router knows the filters of literal paths only.
  return () => void navigate({ to, search: search as never });
}
