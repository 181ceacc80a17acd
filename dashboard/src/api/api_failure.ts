/** One field of the request that is wrong, as the service names it. */
export interface FailureDetail {
  field: string;
  message: string;
}

interface FailureBody {
  error?: string;
  code?: string;
  request_id?: string;
  details?: FailureDetail[];
}

interface FailureFacts {
  /** 0: there was no answer. */
  status: number;
  code: string;
  requestId: string | null;
  details?: FailureDetail[] | undefined;
}

/** An answer that is no success, or none at all. */
export class ApiFailure extends Error implements FailureFacts {
  override name = "ApiFailure";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: FailureDetail[];

  constructor(message: string, facts: FailureFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
  }
}

export async function readFailure(response: Response): Promise<ApiFailure> {
  const body: FailureBody = await response.json().catch(() => ({}));
  return new ApiFailure(body.error ?? `The service answered with status ${response.status}`, {
    status: response.status,
    code: body.code ?? "unknown",
    requestId: body.request_id ?? response.headers.get("x-request-id"),
    details: body.details,
  });
}

/** The request got no answer: offline, or the service is down. */
export function describeUnreachable(cause: unknown): ApiFailure {
  const facts = { status: 0, code: "unreachable", requestId: null };
  const failure = new ApiFailure("The service cannot be reached", facts);
  failure.cause = cause;
  return failure;
}
