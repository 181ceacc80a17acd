import type { EmailDriver } from "@supabase/lite";

/**
 * Shows the mails of Supabase Auth to whoever runs the stack: a line each, with the code in it. The
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
