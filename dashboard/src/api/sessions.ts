import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiResponse } from "./api_client.ts";
import { readAll } from "./read_all.ts";
import { useServices } from "./services.ts";
import { useSingleMutation } from "./use_single_mutation.ts";

/** A place where the user is signed in. */
export type UserSession = ApiResponse<"GET /sessions">["data"][number];

const sessionsKey = ["sessions"];

/** The sessions of the signed-in user, newest first. */
export function useSessions() {
  const { makeApi } = useServices();
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => readAll((query) => makeApi().call("GET /sessions", { query, signal })),
  });
}

/** Ends all sessions of the user but this one. */
export function useEndOtherSessions() {
  const { loadAuth } = useServices();
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: async () => {
      const { error } = await (await loadAuth()).signOut({ scope: "others" });
      if (error) throw error;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
}
