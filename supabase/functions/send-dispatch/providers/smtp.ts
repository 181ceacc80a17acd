import {
  type AllowedRanges,
  resolveAndCheck,
  type ResolveHost,
} from "../../_shared/outbound/addresses.ts";
import type { HandOver, HandOverCall } from "./provider.ts";
import { createSmtpConversation, type SmtpError } from "./smtp_conversation.ts";

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
  /** Longest time of a hand-over, which must end before the lease does. @default 60,000 */
  deadlineMs?: number;
}

const maxResponse = 2_048;

/**
 * Hands a message to an SMTP server. The host is resolved and checked for every message, and the
 * connection goes to the checked address under the host's name. Never rejects.
 */
export async function handOverBySmtp(
  { message, config, signal }: HandOverCall<SmtpConfig>,
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
  const { allowed, resolve, ca, isPlain = false } = options;
  const { connectTimeoutMs = 10_000, socketTimeoutMs = 30_000, deadlineMs = 60_000 } = options;
  // Without the port: the rules for ports of URLs do not apply to SMTP.
  const check = await resolveAndCheck({ url: `https://${config.host}/`, allowed, resolve });
  if (!check.ok) {
    return end({ outcome: check.error === "dns" ? "retry" : "failed", reason: check.error });
  }
  const times = { connectTimeoutMs, socketTimeoutMs, deadlineMs };
  const target = { ...config, ...times, ca, isPlain, address: check.addresses[0]! };
  const conversation = createSmtpConversation(target, signal);
  try {
    const response = await conversation.send(message);
    const statusCode = Number.parseInt(response, 10) || null;
    return end({ outcome: "sent", reason: null, statusCode, response: cut(response) });
  } catch (error) {
    const { responseCode = null, response } = error as SmtpError;
    return end({
      ...decideSmtpFailure(error as SmtpError, conversation.isUnderWay),
      statusCode: responseCode,
      response: response === undefined ? null : cut(response),
    });
  }
}

/** Reasons by nodemailer's code, for failures without a reply that says more. */
const reasons: Readonly<Record<string, string>> = {
  ETLS: "tls",
  ETIMEDOUT: "timeout",
  EPROTOCOL: "invalid_response",
  ECANCELLED: "cancelled",
};
// Errors of a certificate have no code of their own, and the texts of OpenSSL and rustls differ.
const tlsMessage = /certificate|handshake|\b(?:tls|ssl)\b|received fatal alert|corrupt message/i;

/** Reads the failure of an SMTP conversation: see `HandOver.outcome`. */
export function decideSmtpFailure(
  { code, responseCode = 0, response, message }: SmtpError,
  isUnderWay: boolean,
): Pick<HandOver, "outcome" | "reason"> {
  if (code === "ETLS") return { outcome: "retry", reason: "tls" };
  if (responseCode >= 400 && responseCode < 500) {
    return { outcome: "retry", reason: "temporary_refusal" };
  }
  if (code === "EAUTH") return { outcome: "failed", reason: "unauthorized" };
  if (responseCode >= 500 && responseCode < 600) return { outcome: "failed", reason: "rejected" };
  const reason = reasons[code ?? ""] ??
    (response === undefined ? undefined : "invalid_response");
  // No reply to a message that was on its way: the server may have taken it.
  if (isUnderWay) return { outcome: "unknown", reason: reason ?? "connection_lost" };
  // Not an error of the conversation, but of this program.
  if (code === undefined) return { outcome: "retry", reason: "internal" };
  // nodemailer refused it before it reached the server: an address, or the size.
  if (reason === undefined && (code === "EENVELOPE" || code === "EMESSAGE")) {
    return { outcome: "failed", reason: "rejected" };
  }
  if (code === "ESOCKET" && tlsMessage.test(message)) return { outcome: "retry", reason: "tls" };
  return { outcome: "retry", reason: reason ?? "connection_failed" };
}

function cut(text: string): string {
  return text.slice(0, maxResponse);
}
