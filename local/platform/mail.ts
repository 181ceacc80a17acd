import type { EmailDriver } from "@supabase/lite";
import nodemailer from "nodemailer";

/**
 * Prints each e-mail of Supabase Auth as a line in the stack's terminal, with its code. The
 * link of the same mail is left out: opening it would put a session into an address.
 */
export function createMailPrinter(say: (line: string) => void): EmailDriver {
  return {
    send({ to, subject, text }) {
      const sentence = text?.split("\n", 1)[0] ?? subject;
      say(`Mail to ${toPrintable(to)}: ${sentence}`);
      return Promise.resolve();
    },
  };
}

/** Prints each e-mail of Supabase Auth, and sends it to the stack's inbox. */
export function createMailDriver(
  { say, smtpPort }: { say: (line: string) => void; smtpPort: number },
): EmailDriver {
  const printer = createMailPrinter(say);
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: smtpPort,
    secure: false,
    ignoreTLS: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      await printer.send(message);
      const { to, subject, text, html } = message;
      try {
        const from = { name: "Supabase Auth", address: "auth@localhost" };
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text, html });
      } catch (error) {
        // Auth needs no mail: the terminal shows the code.
        say(
          `Cannot put the mail to ${toPrintable(to)} into the inbox: ${(error as Error).message}`,
        );
      }
    },
  };
}

/** An address is any text that somebody typed, including what a terminal obeys. */
function toPrintable(address: string): string {
  return address.replaceAll(/\p{Cc}/gu, "");
}
