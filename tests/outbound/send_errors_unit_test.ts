import assert from "node:assert/strict";
import {
  classifySendError,
  type SendError,
} from "../../supabase/functions/_shared/outbound/send_errors.ts";

function createError(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

const errorCases: [SendError, Error[]][] = [
  ["timeout", [createError("connect ETIMEDOUT 192.0.2.1:443", "ETIMEDOUT")]],
  ["connection_refused", [createError("connect ECONNREFUSED 192.0.2.1:443", "ECONNREFUSED")]],
  ["connection_reset", [
    createError("read ECONNRESET", "ECONNRESET"),
    createError("write EPIPE", "EPIPE"),
    createError("other side closed", "UND_ERR_SOCKET"),
  ]],
  ["unreachable", [
    createError("connect ENETUNREACH 2001:db8::1:443", "ENETUNREACH"),
    createError("connect EHOSTUNREACH 192.0.2.1:443", "EHOSTUNREACH"),
  ]],
  ["tls", [
    createError("certificate has expired", "CERT_HAS_EXPIRED"),
    createError("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"),
    createError("unable to verify the first certificate", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    createError("unable to get local issuer certificate", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
    createError("Hostname/IP does not match", "ERR_TLS_CERT_ALTNAME_INVALID"),
    createError("received corrupt message", "ERR_SSL_WRONG_VERSION_NUMBER"),
    // As the hosted runtime words them, without a code.
    createError("invalid peer certificate: UnknownIssuer"),
    createError("received fatal alert: HandshakeFailure"),
    createError("peer closed connection without sending TLS close_notify"),
  ]],
  ["protocol", [
    createError("bad upgrade", "UND_ERR_SOCKET"),
    createError("Headers Overflow Error", "UND_ERR_HEADERS_OVERFLOW"),
    Object.assign(createError("Expected HTTP/"), { name: "HTTPParserError" }),
  ]],
  ["internal", [createError("too many open files", "EMFILE")]],
  ["network", [createError("anything else"), createError("anything else", "EWHATEVER")]],
];

for (const [expected, errors] of errorCases) {
  Deno.test(`classifySendError() knows ${expected}`, () => {
    for (const error of errors) assert.equal(classifySendError(error), expected, error.message);
  });
}

Deno.test("classifySendError() accepts anything that can be thrown", () => {
  for (const thrown of [undefined, null, "text", 1, {}, { code: 5 }]) {
    assert.equal(classifySendError(thrown), "network");
  }
});
