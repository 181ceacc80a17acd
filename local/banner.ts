import { hasDashboard } from "../dashboard/serve.ts";
import type { Stack } from "./stack.ts";

/** Formats the addresses, logins and commands that `start` prints. */
export function formatBanner({ info, data }: Stack, durationMs: number): string {
  const event = { external_id: "user-1", name: "order_created", properties: { total: 42 } };
  // On one line, so that it can be copied whole.
  const curl = `curl ${info.base_url}/functions/v1/track ` +
    `-H 'Authorization: Bearer ${info.api_key}' -H 'Content-Type: application/json'`;
  return `
Ready in ${(durationMs / 1000).toFixed(1)} s

  Service    ${info.base_url}/functions/v1
  API docs   ${info.base_url}/docs
  Dashboard  ${hasDashboard() ? `${info.base_url}/` : "not built"}
  Inbox      ${info.base_url}/inbox
  Database   ${info.db_url}
  Data       ${data}
  Login      ${info.user.email}  ${info.user.password}
  Key        ${info.api_key}

Store an event:

${curl} -d '${JSON.stringify(event)}'

Ctrl-C stops everything; the next start finds the data again.
`;
}
