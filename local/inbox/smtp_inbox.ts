import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import type { AddressInfo } from "node:net";
import type { MailStore } from "./mail_store.ts";

/** Most bytes of one mail. */
export const maxMailBytes = 10 * 1024 * 1024;

/** A running SMTP server. */
export interface SmtpInbox extends AsyncDisposable {
  port: number;
}

/**
 * Starts an SMTP server on the loopback interface that keeps every mail. It offers no TLS, and takes
 * any user name and password, or none.
 *
 * @param preferredPort tried first; another one if it is in use
 */
export async function startSmtpInbox(
  store: MailStore,
  preferredPort = 0,
): Promise<SmtpInbox> {
  try {
    return await listen(createServer(store), preferredPort);
  } catch (error) {
    if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    return await listen(createServer(store), 0);
  }
}

function createServer(store: MailStore): SMTPServer {
  return new SMTPServer({
    name: "localhost",
    banner: "Signalpost inbox",
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: maxMailBytes,
    maxClients: 100,
    closeTimeout: 1_000,
    onAuth: ({ username }, _session, done) => done(null, { user: username || "anybody" }),
    onData(stream, { envelope }, done) {
      const { mailFrom, rcptTo } = envelope;
      const names = {
        from: mailFrom === false ? "" : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
      };
      readAll(stream).then((source) => {
        if (source === null) return done(refuse(552, "Mail is too large"));
        done(null, `queued as ${store.add(names, source)}`);
      }, done);
    },
  });
}

/** Reads a mail; null if it is too large. */
async function readAll(stream: SMTPServerDataStream): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length <= maxMailBytes) parts.push(part);
  }
  if (stream.sizeExceeded || length > maxMailBytes) return null;
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function refuse(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function listen(server: SMTPServer, port: number): Promise<SmtpInbox> {
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
  server.removeAllListeners("error");
  // A broken connection is its client's concern.
  server.on("error", () => {});
  return {
    port: (server.server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
