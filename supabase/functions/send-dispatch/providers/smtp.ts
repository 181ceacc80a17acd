import nodemailer from "nodemailer";
import {
  type AllowedRanges,
  resolveAndCheck,
  type ResolveHost,
} from "../../_shared/outbound/addresses.ts";
import type { HandOver, HandOverCall } from "./provider.ts";

export interface SmtpConfig {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS is required. */
  secure: boolean;
  username?: string | undefined;
  password?: string | undefined;
}

export interface SmtpOptions {
  allowed: AllowedRanges;
  resolve: ResolveHost;
  /** Certificate authorities in PEM, trusted instead of the public ones. */
  ca?: string;
  /** Sends without TLS, to the inbox of the local stack only. @default false */
  isPlain?: boolean;
  /** @default 10,000 */
  connectTimeoutMs?: number;
  /** Longest silence of the server. @default 30,000 */
  socketTimeoutMs?: number;
}

/** Error of nodemailer. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
}

const maxResponse = 2_048;

/**
 * Hands a message to an SMTP server. The host is resolved and checked for every message, and the
 * connection goes to the checked address under the host's name. Never rejects.
 */
export async function handOverBySmtp(
  { message, config }: HandOverCall<SmtpConfig>,
  options: SmtpOptions,
): Promise<HandOver> {
  const startedAt = performance.now();
  const end = (result: Partial<HandOver> & Pick<HandOver, "outcome" | "reason">): HandOver => ({
    providerId: null,
    statusCode: null,
    response: null,
    retryAfter: null,
    durationMs: Math.round(performance.now() - startedAt),
    ...result,
  });
  const { allowed, resolve } = options;
  // Without the port: the rules for ports of URLs do not apply to SMTP.
  const check = await resolveAndCheck({ url: `https://${config.host}/`, allowed, resolve });
  if (!check.ok) {
    return end({ outcome: check.error === "dns" ? "retry" : "failed", reason: check.error });
  }
  let isUnderWay = false;
  const transport = createTransport(check.addresses[0]!, config, {
    ...options,
    onDataAccepted: () => isUnderWay = true,
  });
  try {
    const { response } = await transport.sendMail({
      messageId: message.messageId,
      from: message.from,
      to: message.to,
      ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
      subject: message.subject,
      ...(message.html === null ? {} : { html: message.html }),
      ...(message.text === null ? {} : { text: message.text }),
      headers: { ...message.headers, "X-Signalpost-Send": message.sendId },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const statusCode = Number.parseInt(response, 10) || null;
    return end({ outcome: "sent", reason: null, statusCode, response: cut(response) });
  } catch (error) {
    const { responseCode = null, response } = error as SmtpError;
    return end({
      ...decideSmtpFailure(error as SmtpError, isUnderWay),
      statusCode: responseCode,
      response: response === undefined ? null : cut(response),
    });
  } finally {
    transport.close();
  }
}

interface TransportOptions extends SmtpOptions {
  /** Called when the server waits for the message: from then on it may take it. */
  onDataAccepted: () => void;
}

function createTransport(address: string, config: SmtpConfig, options: TransportOptions) {
  const { host, port, secure, username, password } = config;
  const { ca, isPlain = false, connectTimeoutMs = 10_000, socketTimeoutMs = 30_000 } = options;
  return nodemailer.createTransport({
    host: address,
    port,
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: isPlain,
    tls: { servername: host, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    ...(username === undefined ? {} : { auth: { user: username, pass: password ?? "" } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    debug: true,
    logger: watchReplies(options.onDataAccepted),
  });
}

/** A log that keeps nothing: nodemailer tells only there that the server accepted DATA. */
function watchReplies(onDataAccepted: () => void) {
  const ignore = () => {};
  const debug = (entry: { tnx?: string } | undefined, text: unknown) => {
    if (entry?.tnx === "server" && /^354/.test(`${text}`)) onDataAccepted();
  };
  const levels = { level: ignore, trace: ignore, info: ignore, warn: ignore, error: ignore };
  return { ...levels, fatal: ignore, debug };
}

/** Reads the failure of an SMTP conversation: see `HandOver.outcome`. */
export function decideSmtpFailure(
  { code, responseCode }: Pick<SmtpError, "code" | "responseCode">,
  isUnderWay: boolean,
): Pick<HandOver, "outcome" | "reason"> {
  if (code === "ETLS") return { outcome: "retry", reason: "tls" };
  if (responseCode !== undefined) {
    if (responseCode < 500) return { outcome: "retry", reason: "temporary_refusal" };
    return { outcome: "failed", reason: code === "EAUTH" ? "unauthorized" : "rejected" };
  }
  // No reply to a message that was on its way: the server may have taken it.
  if (isUnderWay) return { outcome: "unknown", reason: "connection_lost" };
  // Not an error of the conversation, but of this program.
  if (code === undefined) return { outcome: "retry", reason: "internal" };
  if (code === "EENVELOPE") return { outcome: "failed", reason: "rejected" };
  return { outcome: "retry", reason: code === "ETIMEDOUT" ? "timeout" : "connection_failed" };
}

function cut(text: string): string {
  return text.slice(0, maxResponse);
}
