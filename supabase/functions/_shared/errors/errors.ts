/** Every error code of the service, with its status. */
export const errorStatuses = {
  invalid_json: 400,
  invalid_input: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  insufficient_role: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  limit_reached: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;
export type ErrorStatus = (typeof errorStatuses)[ErrorCode];

/** Problem with one field: its path (`events[3].name`) and a message that continues the path. */
export interface ErrorDetail {
  field: string;
  message: string;
}

export interface ApiErrorOptions {
  details?: readonly ErrorDetail[];
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** An error for the caller: its message is the sentence they read. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.status = errorStatuses[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** Body of every error response. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  request_id: string;
  details?: readonly ErrorDetail[];
}

/** Builds the body for `error`; `requestId` is the request's own id. */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const body: ErrorBody = { error: error.message, code: error.code, request_id: requestId };
  if (error.status === 400) body.details = error.details ?? [];
  return body;
}

/** Combines invalid input into one error: the sentence shows the first detail, `details` all. */
export function invalidInput(details: readonly ErrorDetail[]): ApiError {
  return new ApiError("invalid_input", describeDetails(details), { details });
}

/** Describes the first of `details`, and counts the rest. */
export function describeDetails(details: readonly ErrorDetail[]): string {
  const first = details[0];
  if (first === undefined) return "Body is not valid input";
  return countRest(describeDetail(first), details.length - 1);
}

// A field can be a key of thousands of characters, and the sentence is stored per entry.
const maxSentence = 1_000;

/** Describes all of `details` for responses without `details`; counts those beyond its length. */
export function describeEveryDetail(details: readonly ErrorDetail[]): string {
  let sentence = describeDetails(details.slice(0, 1));
  for (const [index, detail] of details.entries()) {
    if (index === 0) continue;
    const next = describeDetail(detail);
    const longer = `${sentence}; ${next.charAt(0).toLowerCase()}${next.slice(1)}`;
    if (longer.length > maxSentence) return countRest(sentence, details.length - index);
    sentence = longer;
  }
  return sentence;
}

function describeDetail({ field, message }: ErrorDetail): string {
  return field === "" ? `Body ${message}` : `Field "${field}" ${message}`;
}

function countRest(sentence: string, rest: number): string {
  return rest > 0 ? `${sentence} (and ${rest} more)` : sentence;
}

/** Error while the database is down or overloaded; nothing was stored. */
export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError("unavailable", message, { headers: { "Retry-After": "1" }, cause });
}

/** A 401 with the challenge that HTTP requires. */
export function unauthorized(message: string): ApiError {
  return new ApiError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}
