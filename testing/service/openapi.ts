import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createOpenApi } from "../../supabase/functions/api/openapi/document.ts";
import type { ServiceResponse } from "./app.ts";

const document = JSON.parse(
  JSON.stringify(createOpenApi("https://project.supabase.co/functions/v1")),
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
// A CommonJS module whose types name no default export, and another copy of Ajv.
(addFormats as unknown as (ajv: Ajv2020) => unknown)(ajv);
ajv.addSchema(document, "openapi");

interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  required?: boolean;
}

/** Operation of the OpenAPI document. */
export interface Operation {
  operationId: string;
  /** As the document has it: `/api/customers/{id}`. */
  path: string;
  method: string;
  parameters: Parameter[];
  /** Statuses the document names. */
  statuses: number[];
}

/** Every operation of the document. */
export const operations: readonly Operation[] = Object.entries<Record<string, never>>(
  document.paths,
)
  .flatMap(([path, item]) =>
    Object.entries<Record<string, never>>(item).map(([method, operation]) => ({
      operationId: operation.operationId ?? "",
      path,
      method,
      parameters: operation.parameters ?? [],
      statuses: Object.keys(operation.responses ?? {}).map(Number),
    }))
  );

/** The operation with this name. */
export function findOperation(operationId: string): Operation {
  const found = operations.find((operation) => operation.operationId === operationId);
  assert(found, `the document has no operation "${operationId}"`);
  return found;
}

/** Fails unless the document allows the body of this request. */
export function assertRequest({ path, method }: Operation, body: unknown): void {
  assertValid(["paths", path, method, "requestBody", "content", "application/json"], body);
}

/** Fails unless the document allows each parameter of a query, and knows all of them. */
export function assertQuery({ path, method, parameters }: Operation, query: URLSearchParams): void {
  for (const [name, text] of query) {
    const index = parameters.findIndex((one) => one.in === "query" && one.name === name);
    assert(index >= 0, `the document does not know the parameter "${name}"`);
    const { type } = document.paths[path][method].parameters[index].schema;
    const value = type === "integer" || type === "boolean" ? JSON.parse(text) : text;
    assertValid(["paths", path, method, "parameters", String(index)], value);
  }
}

/** Fails unless status, headers and body of a response are what the document says. */
export function assertResponse(
  { path, method, statuses }: Operation,
  received: ServiceResponse,
): void {
  const { status, headers, body } = received;
  assert(statuses.includes(status), `${method} ${path}: ${status} is not in the document`);
  const named = document.paths[path][method].responses[status];
  const place = named.$ref
    ? named.$ref.slice(2).split("/")
    : ["paths", path, method, "responses", String(status)];
  const response = place.reduce(
    (node: Record<string, unknown>, key: string) => node[key],
    document,
  ) as {
    headers?: Record<string, { $ref: string }>;
    content?: Record<string, unknown>;
  };
  const { headers: promised = {}, content } = response;
  for (const [name, header] of Object.entries(promised)) {
    const { required } = document.components.headers[header.$ref.split("/").at(-1)!];
    if (required === false) continue;
    assert.notEqual(headers.get(name), null, `${method} ${path}: ${status} lacks "${name}"`);
  }
  if (content === undefined) return assert.equal(body, undefined);
  const mediaType = headers.get("content-type")?.split(";")[0] ?? "";
  assert(mediaType in content, `${method} ${path}: "${mediaType}" is not in the document`);
  assertValid([...place, "content", mediaType], body);
}

const validators = new Map<string, ValidateFunction>();

function assertValid(place: readonly string[], value: unknown): void {
  const pointer = [...place, "schema"]
    .map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
  validators.set(pointer, known);
  assert(known(value), `${pointer}: ${ajv.errorsText(known.errors)} in ${JSON.stringify(value)}`);
}
