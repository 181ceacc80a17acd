import { type ListRoute, useReadList } from "../../api/use_api.ts";

/** A list of what campaigns name. */
export type NamedRoute = Extract<
  ListRoute,
  "GET /segments" | "GET /templates" | "GET /senders" | "GET /topics"
>;

/** Returns a function that names a resource by its ID: "…" until it is read, null if it is gone. */
export function useNameOf(route: NamedRoute): (id: string) => string | null {
  const { rows, isRead } = useReadList(route, {});
  const named: readonly { id: string; name: string }[] = rows;
  return (id) => named.find((row) => row.id === id)?.name ?? (isRead ? null : "…");
}
