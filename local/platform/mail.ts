import type { EmailDriver } from "@supabase/lite";

/**
 * Prints each e-mail of Supabase Auth as a line in the stack's terminal, with its code. The
 * link of the same mail is left out: opening it would put a session into an address.
 */
export function createMailPrinter(say: (line: string) => void): EmailDriver {
  return {
    send({ to, subject, text }) {
      const sentence = text?.split("\n", 1)[0] ?? subject;
      // An address is whatever somebody typed, also what a terminal obeys.
      say(`Mail to ${to.replaceAll(/\p{Cc}/gu, "")}: ${sentence}`);
      return Promise.resolve();
    },
  };
}
