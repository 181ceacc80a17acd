import { z } from "zod";
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiPathsObject,
} from "zod-openapi";
import { errorStatuses } from "../../_shared/errors/errors.ts";
import { uuid } from "../contract/fields.ts";
import type { ApiRoute } from "../kernel/route.ts";
import { routes } from "../routes.ts";
import { keyHeader, maxKeyLength } from "../kernel/idempotency.ts";
import { idHeader, quotaHeaders, refer, repeatHeader } from "./errors.ts";

const workspaceHeader = {
  "X-Workspace-Id": uuid.optional().meta({
    description:
      "Required for users who belong to several workspaces. An API key belongs to one workspace.",
  }),
};

const idempotencyHeader = {
  [keyHeader]: z.string().min(1).max(maxKeyLength).regex(/^[\x20-\x7e]+$/).optional().meta({
    description:
      "Makes the call safe to repeat: for 24 hours, the same caller gets the same response.",
    example: "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f",
  }),
};

const dryIdempotencyHeader = {
  [keyHeader]: idempotencyHeader[keyHeader].meta({
    description:
      "A different call with the same key is refused. This route changes nothing, so a repeat " +
      "runs again.",
  }),
};

/** Operations of the api function, generated from its route table. */
export function apiPaths(): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = `/api${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  paths["/api/health"] = { get: describeHealth() };
  paths["/api/openapi.json"] = { get: describeDocument() };
  return paths;
}

function describeRoute(route: ApiRoute): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, describeRights(route)].filter(Boolean).join("\n\n"),
    security: route.scopes.length > 0 ? [{ session: [] }, { apiKey: [] }] : [{ session: [] }],
    requestParams: describeParams(route),
    ...(route.body === undefined ? {} : {
      requestBody: {
        required: !route.isBodyOptional,
        content: {
          "application/json": { schema: route.body },
          ...(route.textBody && { [route.textBody.mediaType]: { schema: { type: "string" } } }),
        },
      },
    }),
    responses: { ...describeSuccess(route), ...refer(errorsOf(route)) },
  };
}

function describeRights({ scopes, leastRole, workspace, selfParam }: ApiRoute): string {
  const keys = scopes.length > 0
    ? `An API key needs the scope ${scopes.map((scope) => `\`${scope}\``).join(" or ")}. `
    : "Users only. ";
  if (workspace === "none") return keys.trim();
  const self = selfParam === undefined ? "" : ", except for your own user";
  return `${keys}A user needs the role \`${leastRole}\` or higher${self}.`;
}

function describeParams(route: ApiRoute): ZodOpenApiParameters {
  return {
    ...(route.params === undefined ? {} : { path: route.params }),
    ...(route.query === undefined ? {} : { query: route.query }),
    header: z.object({
      ...(isInWorkspace(route) ? workspaceHeader : {}),
      ...(route.method === "POST" ? route.isDry ? dryIdempotencyHeader : idempotencyHeader : {}),
    }),
  };
}

const descriptions = { 200: "Done.", 201: "Created.", 202: "Started.", 204: "Deleted." };

function describeSuccess(route: ApiRoute): ZodOpenApiOperationObject["responses"] {
  const { method, status, isDry, mayCreate, isDeclined } = route;
  const content = describeContent(route);
  const headers = method === "POST" && !isDry ? { ...quotaHeaders, ...repeatHeader } : quotaHeaders;
  const created = { description: descriptions[201], headers, ...content };
  return {
    [`${status}`]: { description: descriptions[status], headers, ...content },
    ...(mayCreate ? { 201: created } : {}),
    ...(isDeclined ? { 200: { description: "Nothing was started.", headers, ...content } } : {}),
  };
}

function describeContent({ response, streams }: ApiRoute) {
  if (response !== undefined) return { content: { "application/json": { schema: response } } };
  if (streams === undefined) return {};
  const schema = { type: "string" as const };
  return { content: Object.fromEntries(streams.map((mediaType) => [mediaType, { schema }])) };
}

function errorsOf(route: ApiRoute): number[] {
  const statuses: number[] = [401, 403, 429, 500, 503];
  if (route.query || route.body || isInWorkspace(route)) statuses.push(400);
  if (route.params || isInWorkspace(route)) statuses.push(404);
  if (route.body) statuses.push(413, 415);
  if (route.method === "POST") statuses.push(400, 409);
  return [...statuses, ...(route.errors ?? []).map((code) => errorStatuses[code])];
}

function isInWorkspace({ workspace = "header" }: ApiRoute): boolean {
  return workspace === "header";
}

function describeHealth(): ZodOpenApiOperationObject {
  return {
    operationId: "getHealth",
    tags: ["Service"],
    summary: "Check that the service can respond",
    description:
      "For load balancers and monitors. Returns 503 while the database does not respond in time.",
    security: [],
    responses: {
      200: {
        description: "The function runs and the database responds.",
        headers: idHeader,
        content: {
          "application/json": {
            schema: z.object({ status: z.literal("ok"), version: z.string() })
              .meta({ id: "Health" }),
          },
        },
      },
      ...refer([500, 503]),
    },
  };
}

function describeDocument(): ZodOpenApiOperationObject {
  return {
    operationId: "getOpenApi",
    tags: ["Service"],
    summary: "Get this document",
    security: [],
    responses: {
      200: {
        description: "OpenAPI 3.1.",
        content: { "application/json": { schema: z.record(z.string(), z.unknown()) } },
      },
      ...refer([500]),
    },
  };
}
