import { useMutation } from "@tanstack/react-query";
import { explainAuthError } from "./explain_auth_error.ts";
import type { Auth } from "./auth_client.ts";
import { useServices } from "../services.ts";

/** Calls Supabase Auth; its answer's error is thrown. */
export function useAuthAction<Input, Answer extends { data: unknown; error: Error | null }>(
  call: (auth: Auth, input: Input) => Promise<Answer>,
) {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async (input: Input): Promise<Answer["data"]> => {
      const { data, error } = await call(auth, input);
      if (error) throw explainAuthError(error);
      return data;
    },
  });
}
