/** Reasons why an attempt got no complete response; a delivery has them as its `error`. */
export const sendErrors = [
  "timeout",
  "dns",
  "connection_refused",
  "connection_reset",
  "unreachable",
  "tls",
  "address_not_allowed",
  "protocol",
  "network",
] as const;

export type SendError =
  | (typeof sendErrors)[number]
  /** Shortage on our side (sockets, memory), not caused by the destination. */
  | "internal"
  /** Cancelled by the caller, not caused by the destination. */
  | "cancelled";

const errorOfCode: Readonly<Record<string, SendError>> = {
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  ECONNABORTED: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  HPE_INVALID_EOF_STATE: "connection_reset",
  EHOSTUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EAFNOSUPPORT: "unreachable",
  UND_ERR_HEADERS_OVERFLOW: "protocol",
  UND_ERR_INVALID_ARG: "protocol",
  EPROTO: "tls",
  EMFILE: "internal",
  ENFILE: "internal",
  ENOBUFS: "internal",
  ENOMEM: "internal",
};

// There are many verification errors (RFC 5280 and the runtime's own), and the hosted runtime
// reports them only as messages, in the wording of rustls.
const tlsCode = /CERT|SELF_SIGNED|ISSUER|ALTNAME|CHAIN|^ERR_(SSL|TLS)_/;
const tlsMessage =
  /certificate|handshake|received fatal alert|received corrupt message|close_notify/i;

/**
 * Classifies an error of a connection or exchange, without its text, which may contain addresses.
 *
 * @param hasStatus true if the response's status was read before
 */
export function classifySendError(error: unknown, hasStatus = false): SendError {
  const code = readCode(error);
  const known = errorOfCode[code];
  const message = error instanceof Error ? error.message : "";
  // "bad upgrade", and "bad response" for an unexpected interim response.
  if (code === "UND_ERR_SOCKET" && message.startsWith("bad ")) return "protocol";
  // Thrown for a response that ends too early, but also for headers with two different lengths.
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") {
    return hasStatus ? "connection_reset" : "protocol";
  }
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === "HTTPParserError") return "protocol";
  if (tlsCode.test(code) || tlsMessage.test(message)) return "tls";
  return "network";
}

function readCode(error: unknown): string {
  const hasCode = typeof error === "object" && error !== null && "code" in error;
  return hasCode && typeof error.code === "string" ? error.code : "";
}
