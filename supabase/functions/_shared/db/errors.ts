import {
  ApiError,
  type ErrorCode,
  invalidInput,
  unauthorized,
  unavailable,
} from "../errors/errors.ts";

const codesOfOurs: Readonly<Record<string, ErrorCode>> = {
  SP400: "invalid_input",
  SP403: "insufficient_role",
  SP404: "not_found",
  SP409: "conflict",
  SP413: "payload_too_large",
  SP429: "rate_limited",
  SPLIM: "limit_reached",
};

// Raised before a statement could reach the server.
const notConnected = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_ENDED",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
]);

// Raised by the patched driver for a statement that the server did not respond to.
const answerTimeout = "ANSWER_TIMEOUT";

// Raised for a statement that may have been running.
const connectionLost = new Set([
  answerTimeout,
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ECANCELED",
  "ECONNABORTED",
  "ECONNRESET",
  "ENOTCONN",
  "EPIPE",
  "ERR_SOCKET_CLOSED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
  "ETIMEDOUT",
  // Deno 2.1 names a write to a connection that the server closed like this, not EPIPE.
  "EBADF",
  "UNKNOWN",
]);

const unconfirmed =
  "Database did not respond in time: nothing is known to be stored, send it again " +
  "with the same idempotency key or message id, which stores it at most once";

// Refused connections, resources, operator intervention, timeouts, failover, endless races.
const overloadedStates = /^(?:08|53|57|58)|^(?:25006|25P03|25P04|55P03|40001|40P01)$/;

/** Returns the SQLSTATE or system code of an error, or undefined if it has none. */
export function databaseErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Checks whether the same statement may succeed when it is sent again: lost races and deadlocks.
 */
export function isRetryable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === "40001" || code === "40P01" || isOfMergedCustomer(error);
}

/** Returns true if a customer received an id or a token while another call merged it away. */
function isOfMergedCustomer(error: unknown): boolean {
  return violatesForeignKey(error, /_customer_id_fkey$/);
}

/**
 * Checks whether the statement reached its deadline: the database is saturated, the statement asks
 * too much, or another transaction holds what it needs.
 */
export function isTimeout(error: unknown): boolean {
  return databaseErrorCode(error) === "57014" || isLockTimeout(error);
}

/** Checks whether the statement waited too long for another transaction. */
export function isLockTimeout(error: unknown): boolean {
  return databaseErrorCode(error) === "55P03";
}

/** Checks whether the statement was refused because its workspace moves to another cell. */
export function isMoving(error: unknown): boolean {
  return databaseErrorCode(error) === "SP503";
}

/** Checks whether the database is out of reach or saturated, for every statement. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code === undefined) return false;
  return notConnected.has(code) || connectionLost.has(code) || overloadedStates.test(code) ||
    // Poolers report a full or unreachable pool as an internal error.
    (code === "XX000" && /max client|pool|connection/i.test((error as Error).message));
}

/** Checks whether the connection broke while a statement ran: it may have been committed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return connectionLost.has(databaseErrorCode(error) ?? "") && !isUnsent(error);
}

/**
 * Returns true if the driver, or `markUnsent`, says that the statement never reached the server.
 */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && "unsent" in error && error.unsent === true;
}

/** Marks an error whose statement certainly had no effect. */
export function markUnsent(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { unsent: true }) : error;
}

/** Returns true if a row could not be stored because its workspace has since been deleted. */
function isOfDeletedWorkspace(error: unknown): boolean {
  return violatesForeignKey(error, /_workspace_id_fkey$/);
}

/** Returns true if a row could not be stored because its user's account has since been deleted. */
function isOfDeletedAccount(error: unknown): boolean {
  return violatesForeignKey(error, /_user_id_fkey$/);
}

function violatesForeignKey(error: unknown, constraint: RegExp): boolean {
  return databaseErrorCode(error) === "23503" && error instanceof Error &&
    "constraint_name" in error && constraint.test(String(error.constraint_name));
}

/**
 * Converts a failed write to the caller's error: 503 promises that nothing was stored, or says that
 * this is unknown.
 */
export function writeFailure(error: unknown): unknown {
  if (!isOutcomeUnknown(error)) return error;
  return databaseErrorCode(error) === answerTimeout
    ? unavailable(unconfirmed, error)
    : new ApiError("internal_error", "Internal error", { cause: error });
}

/** Converts a failed read to the caller's error: a read that times out asks for too much. */
export function readFailure(error: unknown): unknown {
  return isTimeout(error)
    ? new ApiError(
      "invalid_input",
      "Reading took too long: use a filter or a shorter time range",
      {
        cause: error,
      },
    )
    : error;
}

/** Throws `readFailure`, as a handler of rejections. */
export function throwReadFailure(error: unknown): never {
  throw readFailure(error);
}

/** Throws `writeFailure`, as a handler of rejections. */
export function throwWriteFailure(error: unknown): never {
  throw writeFailure(error);
}

/**
 * Translates a failed statement for the caller: our own SQLSTATEs keep their meaning, a deleted
 * workspace or account becomes 401, as for its keys and sessions, an absent, saturated or slow
 * database becomes 503. Undefined for all other errors, which are our fault.
 */
export function databaseApiError(error: unknown): ApiError | undefined {
  const code = databaseErrorCode(error);
  if (code === undefined) return undefined;
  if (isMoving(error)) return unavailable((error as Error).message, error);
  const ours = codesOfOurs[code];
  if (ours !== undefined) return raisedError(ours, error as Error);
  if (isOfDeletedWorkspace(error)) return unauthorized("Workspace does not exist");
  if (isOfDeletedAccount(error)) return unauthorized("Account does not exist");
  if (isTimeout(error)) {
    return unavailable("Database took too long to respond: nothing was stored", error);
  }
  if (isUnavailable(error)) {
    return unavailable("Database is unavailable: nothing was stored", error);
  }
  return undefined;
}

/** SQL names the refused field with `using column = '…'`. */
function raisedError(code: ErrorCode, error: Error): ApiError {
  const field = "column_name" in error ? error.column_name : undefined;
  if (code !== "invalid_input" || typeof field !== "string") {
    return new ApiError(code, error.message, { cause: error });
  }
  return invalidInput([{ field, message: error.message }]);
}
