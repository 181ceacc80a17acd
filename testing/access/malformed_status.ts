import type { ApiRoute } from "../../supabase/functions/api/kernel/route.ts";

/**
 * Returns the status for a text that cannot be an id: 404 in a path; 400 in a query, or where a PUT
 * takes it for the key of a new resource.
 */
export function malformedStatus({ method, path, params }: ApiRoute): 400 | 404 {
  const takesKey = method === "PUT" && /^\/\w+\/\{id\}$/.test(path);
  return params === undefined || takesKey ? 400 : 404;
}
