import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type ErrorCode, errorStatuses } from "../../_shared/errors/errors.ts";
import { id } from "../contract/fields.ts";

const codes = Object.keys(errorStatuses) as ErrorCode[];

const errorSchema = z.object({
  error: z.string().meta({ description: "The error as a sentence." }),
  message: z.string().optional().meta({ description: "The same sentence. Only under /track/v1." }),
  code: z.enum(codes),
  request_id: id,
  details: z.array(z.object({
    field: z.string().meta({ example: "events[3].name" }),
    message: z.string().meta({ example: "is required" }),
  })).optional().meta({ description: "Invalid fields. Only with 400." }),
}).meta({ id: "Error" });

const requestId = "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f";

/** Description and example of each error status. */
const texts: Readonly<Record<number, { description: string; code: ErrorCode; error: string }>> = {
  400: {
    description: "The body is not valid JSON, or validation failed.",
    code: "invalid_input",
    error: 'Field "name" is required',
  },
  401: {
    description: "The credential is missing, malformed, unknown, expired or revoked.",
    code: "unauthorized",
    error: "API key is malformed, unknown, expired or revoked",
  },
  403: {
    description: "The caller may not do this: it lacks a scope or needs a higher role.",
    code: "insufficient_scope",
    error: 'API key lacks the scope "customers:read"',
  },
  404: {
    description: "Not found. Resources of another workspace return the same response.",
    code: "not_found",
    error: "Customer does not exist",
  },
  409: {
    description: "The current state does not allow it, or a limit of the plan is reached.",
    code: "conflict",
    error: "Cannot remove the last owner: make someone else an owner first",
  },
  413: {
    description:
      "The body is too large before or after decompression, a customer would exceed the limit of " +
      "attributes or ids, or the response is too long to be stored for its Idempotency-Key.",
    code: "payload_too_large",
    error: "Body must not be over 1048576 bytes on the wire",
  },
  415: {
    description: "The Content-Type is not JSON.",
    code: "unsupported_media_type",
    error: 'Content-Type is "text/html": send application/json',
  },
  429: {
    description:
      "The workspace exceeded its quota of requests, entries or bytes. Retry-After gives " +
      "the wait in whole seconds.",
    code: "rate_limited",
    error: "Rate limit of the workspace is exceeded: retry in 1 s",
  },
  500: { description: "An error in the service.", code: "internal_error", error: "Internal error" },
  503: {
    description:
      "The database, or the compiler of MJML, is down, overloaded or too slow. Nothing was stored.",
    code: "unavailable",
    error: "Database is unavailable: nothing was stored",
  },
};

export const headers = {
  RequestId: {
    description: "The X-Request-Id of the request if it was a UUID, otherwise a new id.",
    schema: { type: "string", format: "uuid" },
  },
  ServiceVersion: {
    description: "Version of the service.",
    schema: { type: "string" },
  },
  IdempotentReplayed: {
    description: "`true` if this is the stored response of an earlier call with the same key.",
    required: false,
    schema: { type: "string", const: "true" },
  },
  RateLimitLimit: { description: "Size of the bucket in tokens.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Tokens left in the bucket.", schema: { type: "integer" } },
  RateLimitReset: { description: "Seconds until the bucket is full.", schema: { type: "integer" } },
  RetryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
} as const;

/** Headers of every response. */
export const idHeader = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "X-Service-Version": { $ref: "#/components/headers/ServiceVersion" },
};

/** Headers of every response to an authenticated caller. */
export const quotaHeaders = {
  ...idHeader,
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};

/** Header of a stored response. */
export const repeatHeader = {
  "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" },
};

const retryHeader = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

/** Responses per error status, referenced as `#/components/responses/<name>`. */
export const errorResponses: Readonly<Record<string, ZodOpenApiResponseObject>> = Object
  .fromEntries(
    Object.entries(texts).map(([status, { description, code, error }]) => {
      const details = code === "invalid_input" ? [{ field: "name", message: "is required" }] : [];
      const isBad = status === "400";
      const example = { error, code, request_id: requestId, ...(isBad ? { details } : {}) };
      const isRetryable = status === "429" || status === "503";
      return [responseName(Number(status)), {
        description,
        headers: isRetryable ? { ...idHeader, ...retryHeader } : idHeader,
        content: { "application/json": { schema: errorSchema, example } },
      }];
    }),
  );

/** References to the responses with these statuses. */
export function refer(statuses: readonly number[]): Record<string, { $ref: string }> {
  const unique = [...new Set(statuses)].sort((a, b) => a - b);
  return Object.fromEntries(unique.map((status) => {
    return [String(status), { $ref: `#/components/responses/${responseName(status)}` }];
  }));
}

function responseName(status: number): string {
  const { code } = texts[status]!;
  const words = status === 403 ? "forbidden" : code;
  return words.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
