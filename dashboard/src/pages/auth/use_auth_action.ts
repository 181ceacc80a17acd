import type { Auth } from "../../api/auth_client.ts";
import { useServices } from "../../api/services.ts";
import { useSingleMutation } from "../../api/use_single_mutation.ts";

/** Calls Supabase Auth and throws the error of its response. */
export function useAuthAction<Input, ResponseBody extends { data: unknown; error: Error | null }>(
  call: (auth: Auth, input: Input) => Promise<ResponseBody>,
) {
  const { loadAuth } = useServices();
  return useSingleMutation({
    mutationFn: async (input: Input): Promise<ResponseBody["data"]> => {
      const { data, error } = await call(await loadAuth(), input);
      if (error) throw explainAuthError(error);
      return data;
    },
  });
}

/** Better texts for errors of Supabase Auth that do not say what to do. */
const sentences: Readonly<Record<string, string>> = {
  invalid_credentials: "Email or password is wrong",
  email_not_confirmed: "This email address is not confirmed. Open the link that we sent to it",
  otp_expired: "This code is wrong, expired or already used. Check for a newer email",
  same_password: "Choose a password that is different from the old one",
  over_request_rate_limit: "Too many attempts. Wait a minute and try again",
};

/** Returns the code of an error, as Supabase Auth gave it. */
export function codeOf({ cause }: Error): unknown {
  return typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
}

/** Returns the error with a better text, if there is one. */
export function explainAuthError(error: Error): Error {
  const sentence = "code" in error ? sentences[String(error.code)] : undefined;
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}
