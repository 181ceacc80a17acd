import assert from "node:assert/strict";
import {
  databaseApiError,
  isOutcomeUnknown,
  isRetryable,
  isUnavailable,
  readFailure,
} from "../../supabase/functions/_shared/db/errors.ts";
import {
  ApiError,
  describeEveryDetail,
  errorBody,
  invalidInput,
} from "../../supabase/functions/_shared/errors/errors.ts";

function databaseError(code: string, fields: Record<string, unknown> = {}): Error {
  return Object.assign(new Error("Sentence of the database"), { code, ...fields });
}

/** Errors of the driver and the system about a connection that broke under a statement. */
const lostCodes = [
  ["ANSWER_TIMEOUT", "CONNECTION_CLOSED", "CONNECTION_DESTROYED"],
  ["ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTCONN", "ECANCELED"],
  // Deno 2.1 reports a write to a closed connection with this code.
  ["EBADF", "UNKNOWN"],
  ["ERR_SOCKET_CLOSED", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"],
].flat();

/** Errors of the driver and the system about a connection that was never there. */
const unreachedCodes = [
  ["CONNECT_TIMEOUT", "CONNECTION_ENDED", "ECONNREFUSED", "EADDRNOTAVAIL"],
  ["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"],
].flat();

/** Errors of a server that starts, ends, is full, or gave a statement up. */
const overloadCodes = [
  // Connections that fail or break the protocol, and those of poolers.
  ["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
  // Resources: disk, memory, connections.
  ["53000", "53100", "53200", "53300", "53400"],
  // An administrator's shutdown, a crash, a start, a dropped database, an idle session.
  ["57000", "57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  // Files and their system.
  ["58000", "58030", "58P01", "58P02"],
  // A replica that took over, transactions that were idle or took too long, locks and races.
  ["25006", "25P03", "25P04", "55P03", "40001", "40P01"],
].flat();

Deno.test("databaseApiError() maps our own SQLSTATEs to their codes", () => {
  const cases = [
    ["SP400", 400, "invalid_input"],
    ["SP403", 403, "insufficient_role"],
    ["SP404", 404, "not_found"],
    ["SP409", 409, "conflict"],
    ["SP413", 413, "payload_too_large"],
    ["SP429", 429, "rate_limited"],
  ] as const;
  for (const [state, status, code] of cases) {
    const error = databaseApiError(databaseError(state));
    assert.equal(error?.status, status);
    assert.equal(error?.code, code);
    assert.equal(error?.message, "Sentence of the database");
  }
});

Deno.test("databaseApiError() names the field that SQL refused", () => {
  const error = databaseApiError(databaseError("SP400", { column_name: "name" }));
  assert.deepEqual(error?.details, [{ field: "name", message: "Sentence of the database" }]);
});

Deno.test("databaseApiError() returns 503 with Retry-After for an unreachable or overloaded database", () => {
  const codes = [...lostCodes, ...overloadCodes, ...unreachedCodes];
  for (const code of codes) {
    const error = databaseApiError(databaseError(code));
    assert.equal(error?.status, 503, code);
    assert.equal(error?.headers["Retry-After"], "1");
    assert(!error?.message.includes("Sentence of the database"));
  }
});

Deno.test("a timeout names its cause: a read asks for too much, a write was not stored", () => {
  const timeout = databaseError("57014");
  const write = databaseApiError(timeout);
  assert.deepEqual([write?.status, write?.message], [
    503,
    "Database took too long to respond: nothing was stored",
  ]);
  const read = readFailure(timeout);
  assert(read instanceof ApiError);
  assert.equal(read.status, 400);
  assert.match(read.message, /took too long/);
  const other = databaseError("53300");
  assert.equal(readFailure(other), other);
});

Deno.test("databaseApiError() returns undefined for every other error", () => {
  for (const code of ["42P01", "23505", "22P02", "XX000", "P0001"]) {
    assert.equal(databaseApiError(databaseError(code)), undefined, code);
  }
  for (const error of [new Error("x"), "x", null, undefined, { code: "SP404" }]) {
    assert.equal(databaseApiError(error), undefined);
  }
});

Deno.test("isRetryable() accepts only lost races", () => {
  assert(isRetryable(databaseError("40001")) && isRetryable(databaseError("40P01")));
  assert(isRetryable(databaseError("23503", { constraint_name: "identities_customer_id_fkey" })));
  assert(!isRetryable(databaseError("23505")) && !isRetryable(new Error("40001")));
});

Deno.test("isOutcomeUnknown() accepts connections lost during a call, not refused ones", () => {
  for (const code of lostCodes) {
    assert(isOutcomeUnknown(databaseError(code)), code);
    assert(!isOutcomeUnknown(databaseError(code, { unsent: true })), code);
  }
  for (const code of [...unreachedCodes, ...overloadCodes]) {
    assert(!isOutcomeUnknown(databaseError(code)), code);
    assert(isUnavailable(databaseError(code)), code);
  }
});

Deno.test("describeEveryDetail() names each detail, up to a length", () => {
  const details = [{ field: "a", message: "is required" }, { field: "b", message: "is unknown" }];
  assert.equal(describeEveryDetail(details), 'Field "a" is required; field "b" is unknown');
  assert.equal(describeEveryDetail(details.slice(0, 1)), 'Field "a" is required');
  const long = [...details, { field: "c".repeat(2_000), message: "is unknown" }];
  assert.equal(
    describeEveryDetail(long),
    'Field "a" is required; field "b" is unknown (and 1 more)',
  );
  assert.equal(describeEveryDetail([]), "Body is not valid input");
});

Deno.test("errorBody() contains details only with 400", () => {
  const details = [{ field: "a", message: "is required" }, { field: "b", message: "is unknown" }];
  assert.deepEqual(errorBody(invalidInput(details), "id"), {
    error: 'Field "a" is required (and 1 more)',
    code: "invalid_input",
    request_id: "id",
    details,
  });
  assert.deepEqual(errorBody(new ApiError("invalid_json", "Body is empty"), "id").details, []);
  assert(!("details" in errorBody(new ApiError("not_found", "x", { details }), "id")));
});
