import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { version } from "../../_shared/config/version.ts";
import { apiPaths } from "./api_paths.ts";
import { compilePaths } from "./compile_paths.ts";
import { dispatchPaths } from "./dispatch_paths.ts";
import { errorResponses, headers } from "./errors.ts";
import { inboundPaths } from "./inbound_paths.ts";
import { trackPaths } from "./track_paths.ts";

/** A complete OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<typeof createDocument>;

const securitySchemes = {
  session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Access token from Supabase Auth.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "pk_…",
    description: "A scoped API key, which belongs to one workspace.",
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
    description: "HMAC-SHA256 of the raw body in hex; other schemes use other headers.",
  },
  dispatchKey: {
    type: "apiKey",
    in: "header",
    name: "apikey",
    description: "The project's secret key named `dispatch`.",
  },
} satisfies NonNullable<ZodOpenApiObject["components"]>["securitySchemes"];

const documents = new Map<string, OpenApiDocument>();

/** Builds the OpenAPI 3.1 document of all functions from the schemas that check requests. */
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
      summary:
        "Records what your customers do, keeps one history per customer, and forwards events " +
        "as signed webhooks.",
      description: "Requests and responses are JSON. Times are RFC 3339 in UTC. Lists start with " +
        "the newest item. To get the next page, pass `next_cursor` as `cursor`. Every response " +
        "carries `X-Request-Id` and `X-Service-Version`. A POST under `/api` is safe to repeat " +
        "if it has an `Idempotency-Key`.",
    },
    servers: [{ url: functionsUrl, description: "The functions of this project." }],
    tags: [
      { name: "Track", description: "Send events and profiles from apps and servers." },
      { name: "Customers", description: "Profiles, ids, timelines and erasure." },
      { name: "Segments", description: "Sets of customers, defined by a condition or a list." },
      { name: "Campaigns", description: "Messages that are sent once to a segment." },
      { name: "Events", description: "Events as received." },
      { name: "Catalogue", description: "Event names, their properties and what they mean." },
      { name: "Explore", description: "Counts, funnels, retention and paths of events." },
      {
        name: "Destinations",
        description: "Webhook endpoints that receive events, and jobs that resend them.",
      },
      { name: "Messages", description: "Messages to destinations, with their state at each one." },
      { name: "Deliveries", description: "The log of delivery attempts." },
      { name: "Templates", description: "The content of messages: Liquid in HTML, MJML or text." },
      { name: "Senders", description: "Addresses that messages come from, and their providers." },
      { name: "Sends", description: "Messages to customers, each with a log." },
      { name: "Topics", description: "Kinds of messages that customers subscribe to." },
      { name: "Suppressions", description: "Addresses that the service never sends to." },
      { name: "Sources", description: "Other systems whose webhooks you receive." },
      { name: "Rejected entries", description: "Rejected entries, which you can fix and resend." },
      { name: "Inbound webhooks", description: "Webhooks from other systems." },
      { name: "Views", description: "Saved filters and columns of lists." },
      { name: "Usage", description: "Counts of events, customers and deliveries over time." },
      { name: "Workspaces", description: "Tenants." },
      { name: "Sessions", description: "Where you are signed in." },
      { name: "Members", description: "Who may do what in a workspace." },
      { name: "API keys", description: "Keys for apps and servers." },
      { name: "Audit log", description: "Who changed what." },
      { name: "Service", description: "The service itself." },
    ],
    paths: { ...trackPaths, ...apiPaths(), ...inboundPaths, ...dispatchPaths, ...compilePaths },
    components: {
      headers,
      responses: errorResponses,
      securitySchemes,
    },
  };
}
