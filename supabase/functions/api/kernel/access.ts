import { noSuchWorkspace, otherWorkspace, readBearer } from "../../_shared/access/auth.ts";
import type { CellKeyring } from "../../_shared/access/cell_keyring.ts";
import type { Caller, Membership } from "./caller.ts";
import { type Role, roles } from "../contract/roles.ts";
import type { ApiCell } from "./api_cell.ts";
import type { FindSession, SessionState } from "./live_sessions.ts";
import { type Cells, firstCell } from "../../_shared/config/cells.ts";
import { ApiError, invalidInput, unauthorized } from "../../_shared/errors/errors.ts";
import type { ApiRoute } from "./route.ts";
import type { VerifySession } from "./sessions.ts";

/** Identity, bucket and workspace of a call. */
export interface Access {
  caller: Caller;
  memberships: readonly Membership[];
  /** Owner of the rate-limit bucket: a workspace, or the user if the route has none. */
  payerId: string;
  /** The workspace, undefined if the route has none, or the error if it does not exist. */
  workspaceId: string | undefined | ApiError;
  /** Cell of the workspace; the first cell if the route has none. */
  cell: ApiCell;
  /** All cells in which the caller has workspaces. */
  ownCells: readonly ApiCell[];
}

export interface AccessOptions {
  cells: Cells<ApiCell>;
  keyring: CellKeyring<ApiCell>;
  verifySession: VerifySession;
  findSession: FindSession;
}

/** Parts of a request that decide its caller's access. */
export interface Credentials {
  authorization: string | undefined;
  /** The header `X-Workspace-Id`. */
  workspaceId: string | undefined;
  /** The path's parameter `id`. */
  pathId: string | undefined;
}

const endedSessions: Readonly<Record<Exclude<SessionState, "active">, string>> = {
  banned: "Account is banned",
  deleted: "Account no longer exists",
  signed_out: "Session has ended: sign in again",
};

/** Identifies the caller and the workspace of the call; throws `unauthorized`. */
export async function findAccess(
  route: ApiRoute,
  credentials: Credentials,
  options: AccessOptions,
): Promise<Access> {
  const token = readBearer(credentials.authorization);
  if (token.startsWith("pk_")) {
    const { key, cell } = await options.keyring.authenticate(token);
    const payerId = key.workspaceId;
    const workspaceId = otherWorkspace(key, credentials.workspaceId) ?? payerId;
    const caller = { kind: "key", key } as const;
    return { caller, memberships: [], payerId, workspaceId, cell, ownCells: [cell] };
  }
  const caller = await options.verifySession(token);
  const named = nameWorkspace(route, credentials);
  const isAny = route.workspace !== "none";
  const { state, memberships, cells } = await options.findSession(caller, { isAny, named });
  if (state !== "active") throw unauthorized(endedSessions[state]);
  const workspaceId = findWorkspace(route, named, memberships);
  const payerId = typeof workspaceId === "string" ? workspaceId : caller.userId;
  const home = memberships.find((membership) => membership.workspaceId === workspaceId)?.cell;
  const cell = options.cells.get(home ?? firstCell)!;
  const ownCells = (cells ?? [firstCell]).flatMap((id) => options.cells.get(id) ?? []);
  return { caller, memberships, payerId, workspaceId, cell, ownCells };
}

function nameWorkspace(
  { workspace }: ApiRoute,
  { workspaceId, pathId }: Credentials,
): string | undefined {
  return workspace === "none" ? undefined : workspace === "path" ? pathId : workspaceId;
}

function findWorkspace(
  route: ApiRoute,
  named: string | undefined,
  memberships: readonly Membership[],
): string | undefined | ApiError {
  if (route.workspace === "none") return undefined;
  if (named !== undefined) {
    const wanted = named.toLowerCase();
    const isMember = memberships.some(({ workspaceId }) => workspaceId === wanted);
    return isMember ? wanted : noSuchWorkspace();
  }
  const [first, second] = memberships;
  if (first === undefined) return new ApiError("not_found", "You do not belong to a workspace");
  if (second === undefined) return first.workspaceId;
  const message = `must name one of your ${memberships.length} workspaces`;
  return invalidInput([{ field: "X-Workspace-Id", message }]);
}

/** Throws unless the caller's scopes or role allow the route. */
export function authorize(route: ApiRoute, access: Access, selfId: string | undefined): void {
  const { caller, workspaceId, memberships } = access;
  if (caller.kind === "key") authorizeKey(route, caller.key.scopes);
  if (workspaceId instanceof ApiError) throw workspaceId;
  if (caller.kind === "key" || workspaceId === undefined || selfId === caller.userId) return;
  const role = memberships.find((membership) => membership.workspaceId === workspaceId)?.role;
  if (role === undefined || rankOf(role) > rankOf(route.leastRole)) {
    const message = `Role "${role}" is not enough: this needs "${route.leastRole}" or higher`;
    throw new ApiError("insufficient_role", message);
  }
}

function authorizeKey(route: ApiRoute, scopes: ReadonlySet<string>): void {
  if (route.scopes.length === 0) {
    throw new ApiError("insufficient_scope", "API keys may not do this: it needs a user's session");
  }
  if (route.scopes.some((scope) => scopes.has(scope))) return;
  const wanted = route.scopes.map((scope) => `"${scope}"`).join(" or ");
  throw new ApiError("insufficient_scope", `API key lacks the scope ${wanted}`);
}

function rankOf(role: Role): number {
  return roles.indexOf(role);
}
