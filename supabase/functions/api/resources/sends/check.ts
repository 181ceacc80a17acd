import type { z } from "zod";
import type { sendExplanation } from "../../contract/sends.ts";

/** The answer to why a customer did or did not get a message. */
export type Explanation = z.output<typeof sendExplanation>;

/** One thing that decides about messages, or a message that exists. */
export type Check = Explanation["checks"][number];

/** Makes a check that is about no message. */
export function makeCheck(subject: Check["subject"], ok: boolean, message: string): Check {
  return { subject, ok, message, at: null, send_id: null, state: null, sender_id: null };
}

/** Makes a sentence the end of another one. */
export function toClause(sentence: string): string {
  return sentence[0]!.toLowerCase() + sentence.slice(1);
}
