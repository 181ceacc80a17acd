import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { version } from "../../_shared/platform/version.ts";
import { apiPaths } from "./api_paths.ts";
import { dispatchPaths } from "./dispatch_paths.ts";
import { errorResponses, headers } from "./errors.ts";
import { inboundPaths } from "./inbound_paths.ts";
import { trackPaths } from "./track_paths.ts";

/** A finished OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const documents = new Map<string, OpenApiDocument>();

/** OpenAPI 3.1 of all four functions, from the schemas that really check requests. */
export function createOpenApi(functionsUrl: string): OpenApiDocument {
  const known = documents.get(functionsUrl);
  if (known !== undefined) return known;
  const made = createDocument(describeService(functionsUrl));
  documents.set(functionsUrl, made);
  return made;
}

function describeService(functionsUrl: string): ZodOpenApiObject {
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalpost",
      version,
      summary: "Takes in what customers do, keeps one history a customer, and passes events on.",
      description: "JSON in, JSON out. Times are RFC 3339 in UTC. Lists are newest first: give " +
        "`next_cursor` back as `cursor` for the next page. Every answer carries `X-Request-Id` and " +
        "`X-Service-Version`. A POST below `/api` that carries an `Idempotency-Key` can be repeated.",
    },
    servers: [{ url: functionsUrl, description: "The functions of this project." }],
    tags: [
      { name: "Track", description: "What apps and servers send." },
      { name: "Customers", description: "Profiles, ids, timelines and erasure." },
      { name: "Events", description: "Everything that arrived." },
      { name: "Destinations", description: "Where events are sent, and jobs that send again." },
      { name: "Deliveries", description: "The log of attempts." },
      { name: "Sources", description: "Other systems whose webhooks are taken in." },
      { name: "Rejected entries", description: "What was refused, to fix and send again." },
      { name: "Inbound webhooks", description: "Webhooks of other systems." },
      { name: "Usage", description: "Figures over time." },
      { name: "Workspaces", description: "Tenants." },
      { name: "Members", description: "Who may do what in a workspace." },
      { name: "API keys", description: "Keys for apps and servers." },
      { name: "Audit log", description: "Who changed what." },
      { name: "Service", description: "The service itself." },
    ],
    paths: { ...trackPaths, ...apiPaths(), ...inboundPaths, ...dispatchPaths },
    components: {
      headers,
      responses: errorResponses,
      securitySchemes: {
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "Access token of Supabase Auth.",
        },
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "pk_…",
          description: "A scoped API key; it carries its workspace.",
        },
        segment: {
          type: "http",
          scheme: "basic",
          description: "A scoped API key as the user name, as Segment's libraries send it.",
        },
        signature: {
          type: "apiKey",
          in: "header",
          name: "X-Service-Signature",
          description: "HMAC-SHA256 of the raw body in hex; other schemes have other headers.",
        },
        dispatchKey: {
          type: "apiKey",
          in: "header",
          name: "apikey",
          description: "The project's secret key that is named dispatch.",
        },
      },
    },
  };
}
