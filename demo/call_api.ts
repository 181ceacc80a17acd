import type { RunningStack } from "./running_stack.ts";

/** The fields of a destination that the demo uses, as the API returns them. */
export interface Destination {
  id: string;
  name: string;
  url: string;
  event_types: string[];
  health: { pending: number };
}

/** One attempt of one message. */
export interface Delivery {
  id: string;
  message_id: string;
  event_type: string;
  attempt_number: number;
  trigger: string;
  ok: boolean;
  status_code: number | null;
  response_snippet: string | null;
  duration_ms: number | null;
  attempted_at: string;
  next_attempt_at: string | null;
}

/** `path` is below `/api`. */
export interface ApiCall {
  method?: "GET" | "POST" | "PUT" | "PATCH";
  path: string;
  body?: unknown;
}

/**
 * Calls the api with the stack's key and returns the body of the response.
 *
 * @throws Error with the service's sentence when it refuses.
 */
export async function callApi<ResponseBody>(
  stack: RunningStack,
  call: ApiCall,
): Promise<ResponseBody> {
  const { method = "GET", path, body } = call;
  const response = await fetch(`${stack.base_url}/functions/v1/api${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.api_key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const content = await response.json();
  if (response.ok) return content;
  throw new Error(`Cannot ${method} "/api${path}": ${response.status}, ${content.error}`);
}
