import { useMutation } from "@tanstack/react-query";
import type { Auth } from "../../api/auth_client.ts";
import { useServices } from "../../api/services.ts";

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

/** Answers of Supabase Auth that tell a person too little of what to do. */
const SENTENCES: Readonly<Record<string, string>> = {
  otp_expired: "This code is wrong, has been used or has expired. Look for the latest mail",
  same_password: "Choose a password that differs from the old one",
  over_request_rate_limit: "Too many tries: wait a minute and try again",
};

/** The error in words for whoever sees it; as it is where Auth says it well. */
export function explainAuthError(error: Error): Error {
  const sentence = "code" in error ? SENTENCES[String(error.code)] : undefined;
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}
