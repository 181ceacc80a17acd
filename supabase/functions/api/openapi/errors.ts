import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type ErrorCode, errorStatuses } from "../../_shared/platform/errors.ts";
import { id } from "../contract/fields.ts";

const codes = Object.keys(errorStatuses) as ErrorCode[];

const errorSchema = z.object({
  error: z.string().meta({ description: "A sentence for a human." }),
  message: z.string().optional().meta({ description: "Below /track/v1 only: the same sentence." }),
  code: z.enum(codes),
  request_id: id,
  details: z.array(z.object({
    field: z.string().meta({ example: "events[3].name" }),
    message: z.string().meta({ example: "is required" }),
  })).optional().meta({ description: "On 400 only: what is wrong with which field." }),
}).meta({ id: "Error" });

const requestId = "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f";

/** What is said of each status, with an example. */
const texts: Readonly<Record<number, { description: string; code: ErrorCode; error: string }>> = {
  400: {
    description: "The body is no JSON, or the input fails validation.",
    code: "invalid_input",
    error: 'Field "name" is required',
  },
  401: {
    description: "No credential, or one that is malformed, unknown, expired or revoked.",
    code: "unauthorized",
    error: "API key is malformed, unknown, expired or revoked",
  },
  403: {
    description: "Known, and not allowed: a scope is missing, or a higher role.",
    code: "insufficient_scope",
    error: 'API key lacks the scope "customers:read"',
  },
  404: {
    description: "Unknown; what belongs to another workspace is answered the same.",
    code: "not_found",
    error: "Customer does not exist",
  },
  409: {
    description: "The state forbids it, or a limit of the plan that the message names.",
    code: "conflict",
    error: "Cannot remove the last owner: make somebody else owner first",
  },
  413: {
    description:
      "The body is too large, before or after decompression, or a customer would have more attributes or ids than one may, or an answer is too long to be kept for its Idempotency-Key.",
    code: "payload_too_large",
    error: "Body must not be over 1048576 bytes on the wire",
  },
  415: {
    description: "The body is not JSON.",
    code: "unsupported_media_type",
    error: 'Content-Type is "text/html": send application/json',
  },
  429: {
    description: "Over the workspace's quota of requests, entries or bytes; Retry-After says in " +
      "whole seconds when to come back.",
    code: "rate_limited",
    error: "Rate limit of the workspace is exceeded: retry in 1 s",
  },
  500: { description: "Our fault.", code: "internal_error", error: "Internal error" },
  503: {
    description: "The database is down, saturated or too slow; nothing was stored.",
    code: "unavailable",
    error: "Database is unavailable: nothing was stored",
  },
};

export const headers = {
  RequestId: {
    description: "The caller's own when it sent a UUID in X-Request-Id.",
    schema: { type: "string", format: "uuid" },
  },
  ServiceVersion: {
    description: "The version of the service that answered.",
    schema: { type: "string" },
  },
  IdempotentReplayed: {
    description: "`true` when this is the kept answer of an earlier call with the same key.",
    required: false,
    schema: { type: "string", const: "true" },
  },
  RateLimitLimit: { description: "Size of the bucket.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Tokens left in it.", schema: { type: "integer" } },
  RateLimitReset: { description: "Seconds until it is full.", schema: { type: "integer" } },
  RetryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
} as const;

/** Headers of every answer. */
export const idHeader = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "X-Service-Version": { $ref: "#/components/headers/ServiceVersion" },
};

/** Headers of every answer to a caller who was recognised. */
export const quotaHeaders = {
  ...idHeader,
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};

/** The header of an answer that was given before. */
export const repeatHeader = {
  "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" },
};

const retryHeader = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

/** The answer with each error status, to be referred to as `#/components/responses/<name>`. */
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

/** References to the answers with these statuses. */
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
