// An SMTP server in a process of its own, which accepts every message.
import type { Identity } from "../../testing/receivers/certificates.ts";
import { startSmtpReceiver } from "../../testing/receivers/smtp_receiver.ts";
import { print } from "./table.ts";

/** Options of the script, as JSON. */
export interface SmtpServerOptions {
  identity: Identity;
}

if (import.meta.main) {
  const { identity } = JSON.parse(Deno.args[0] ?? "{}") as SmtpServerOptions;
  const { port } = await startSmtpReceiver({ identity, isSecure: true });
  print(String(port));
}
