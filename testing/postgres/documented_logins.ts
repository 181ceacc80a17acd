import { readFileSync } from "node:fs";
import type postgres from "postgres";

const password = "of-a-login";

/** Login of each function behind a pooler. */
export const loginsOfFunctions: Readonly<Record<string, string>> = {
  track: "track_login",
  inbound: "inbound_login",
  links: "links_login",
  api: "api_login",
  "webhook-dispatch": "dispatch_login",
  "send-dispatch": "send_login",
};

/** Names and passwords of the logins. */
export function documentedLogins(): Record<string, string> {
  return Object.fromEntries(Object.values(loginsOfFunctions).map((login) => [login, password]));
}

/** Creates the logins as `docs/scaling.md` says. */
export async function createLogins(sql: postgres.Sql): Promise<void> {
  const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");
  const [, statements = ""] = /```sql\n(create role track_login[^`]+)```/.exec(page) ?? [];
  await sql.unsafe(statements.replaceAll("…", password));
}
