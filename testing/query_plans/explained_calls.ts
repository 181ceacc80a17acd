import assert from "node:assert/strict";
import { routes } from "../../supabase/functions/api/routes.ts";
import type { ApiRead } from "../access/api_read.ts";
import { listApiReads } from "../access/api_reads.ts";
import { type ApiWorld, createApiWorld } from "../service/api_world.ts";
import type { TestDatabase } from "../postgres/database.ts";
import type { LargeWorkspace } from "../data/large_workspace.ts";
import { type Explained, explainStatements, type PlanMode, readNotice } from "./query_plan.ts";

/** One call, and every statement it led to. */
export interface ExplainedCall {
  read: ApiRead;
  caller: string;
  page: number;
  mode: PlanMode;
  statements: Explained[];
}

/** Calls every read as a session and as a key, lists with their second page. */
export async function callReads(
  db: TestDatabase,
  filled: LargeWorkspace,
  mode: PlanMode,
): Promise<ExplainedCall[]> {
  await explainStatements(db, mode);
  let heard: Explained[] = [];
  await using world = await createApiWorld({
    db,
    onNotice: (notice) => heard.push(...readNotice(notice)),
  });
  const callers = await createCallers(world, filled.workspaceId);
  const calls: ExplainedCall[] = [];
  for (const read of listApiReads(filled)) {
    const takesKeys = routes.some((route) => {
      return route.operationId === read.operationId && route.scopes.length > 0;
    });
    for (const [caller, token] of takesKeys ? callers : callers.slice(0, 1)) {
      let path: string | undefined = read.path(1);
      for (let page = 1; path !== undefined && page <= 2; page++) {
        heard = [];
        const { workspaceId } = filled;
        const { status, body } = await world.send({ path, token, workspaceId });
        assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
        calls.push({ read, caller, page, mode, statements: heard });
        path = nextPath(read.path(1), body.next_cursor);
      }
    }
  }
  return calls;
}

async function createCallers(world: ApiWorld, workspaceId: string): Promise<[string, string][]> {
  const scopes = [...new Set(routes.flatMap((route) => route.scopes))];
  return [
    ["session", await world.signInAs("admin", workspaceId)],
    ["key", await world.createKey(scopes, workspaceId)],
  ];
}

function nextPath(path: string, cursor: string | null | undefined): string | undefined {
  if (typeof cursor !== "string") return undefined;
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
}
