import MailComposer from "nodemailer/lib/mail-composer/index.js";
import SmtpConnection from "nodemailer/lib/smtp-connection/index.js";
import type { EmailMessage } from "./provider.ts";

/** Connection to a server, and the limits of the conversation. */
export interface SmtpTarget {
  /** A checked address; `host` is its name, for the certificate. */
  address: string;
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS is required, unless `isPlain`. */
  secure: boolean;
  isPlain: boolean;
  username?: string | undefined;
  password?: string | undefined;
  /** Certificate authorities in PEM, trusted instead of the public ones. */
  ca?: string | undefined;
  connectTimeoutMs: number;
  /** Longest silence of the server. */
  socketTimeoutMs: number;
  /** Longest time of the whole conversation. */
  deadlineMs: number;
}

/** Failure of a conversation. Any other error is one of this program. */
export interface SmtpError extends Error {
  /** nodemailer's code, or `ECANCELLED`. */
  code?: string;
  /** Digits at the start of the server's reply. */
  responseCode?: number;
  response?: string;
}

/** A conversation in which one message is sent. */
export interface SmtpConversation {
  /** True once the server waits for the message: from then on the server may have taken it. */
  readonly isUnderWay: boolean;
  /** Sends the message; returns the server's last reply. Rejects with an `SmtpError`. */
  send(message: EmailMessage): Promise<string>;
}

/** Most bytes that a server may send. A usual conversation has 2 KB. */
const maxReplyBytes = 64 * 1024;

/** Prepares a conversation with a server. It connects when a message is sent. */
export function createSmtpConversation(
  target: SmtpTarget,
  signal?: AbortSignal,
): SmtpConversation {
  let isUnderWay = false;
  return {
    get isUnderWay() {
      return isUnderWay;
    },
    async send(message) {
      const connection = createConnection(target, () => isUnderWay = true);
      limitReplies(connection);
      const ended = Promise.withResolvers<string>();
      const fail = (code: string, text: string) =>
        ended.reject(Object.assign(new Error(text), { code }));
      connection.on("error", ended.reject);
      connection.on("end", () => fail("ECONNECTION", "The connection was closed"));
      const cancel = () => fail("ECANCELLED", "Cancelled");
      signal?.addEventListener("abort", cancel);
      const timer = setTimeout(
        () => fail("ETIMEDOUT", "The conversation took too long"),
        target.deadlineMs,
      );
      try {
        if (signal?.aborted) cancel();
        else converse(connection, { target, mail: compile(message), ended });
        return await ended.promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        connection.close();
        // Closing waits for the server, which may never close its side.
        connection._socket?.destroy();
      }
    },
  };
}

function createConnection(target: SmtpTarget, onDataAccepted: () => void): SmtpConnection {
  const { address, host, port, secure, isPlain, ca } = target;
  return new SmtpConnection({
    host: address,
    port,
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: isPlain,
    tls: { servername: host, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: target.connectTimeoutMs,
    greetingTimeout: target.connectTimeoutMs,
    socketTimeout: target.socketTimeoutMs,
    debug: true,
    logger: watchReplies(onDataAccepted),
  });
}

/** A log that keeps nothing. Only nodemailer's log shows that the server has accepted DATA. */
function watchReplies(onDataAccepted: () => void) {
  const ignore = () => {};
  let isDataSent = false;
  const debug = (entry: { tnx?: string } | undefined, text: unknown) => {
    if (entry?.tnx === "client") isDataSent = text === "DATA";
    // Some servers say 250 instead of 354.
    if (entry?.tnx === "server" && isDataSent && /^[23]/.test(`${text}`)) onDataAccepted();
  };
  const levels = { level: ignore, trace: ignore, info: ignore, warn: ignore, error: ignore };
  return { ...levels, fatal: ignore, debug };
}

/** Ends a conversation with a server that never stops sending, before it fills the memory. */
function limitReplies(connection: SmtpConnection): void {
  const take = connection._onData.bind(connection);
  let received = 0;
  connection._onData = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received <= maxReplyBytes) return take(chunk);
    connection._onError(new Error("The server sent too much"), "EPROTOCOL", false, "CONN");
  };
}

function compile(message: EmailMessage) {
  return new MailComposer({
    messageId: message.messageId,
    from: message.from,
    // Not as text, in which a composer looks for names and further addresses.
    to: { name: "", address: message.to },
    ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
    subject: message.subject,
    ...(message.html === null ? {} : { html: message.html }),
    ...(message.text === null ? {} : { text: message.text }),
    headers: { ...message.headers, "X-Signalpost-Send": message.sendId },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

function converse(
  connection: SmtpConnection,
  { target: { username, password }, mail, ended }: {
    target: SmtpTarget;
    mail: ReturnType<typeof compile>;
    ended: PromiseWithResolvers<string>;
  },
): void {
  const send = () =>
    connection.send(
      mail.getEnvelope(),
      mail.createReadStream(),
      (error: Error | null, info?: { response: string }) =>
        error ? ended.reject(error) : ended.resolve(info!.response),
    );
  connection.connect(() => {
    if (username === undefined || !connection.allowsAuth) return send();
    const credentials = { user: username, pass: password ?? "" };
    connection.login(
      { credentials },
      (error: Error | null) => error ? ended.reject(error) : send(),
    );
  });
}
