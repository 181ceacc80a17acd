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
