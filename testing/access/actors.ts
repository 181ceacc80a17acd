import { type Role, roles } from "../../supabase/functions/api/contract/roles.ts";
import { scopes as allScopes } from "../../supabase/functions/_shared/access/auth.ts";
import { type Actor, dataApiRoles } from "./acting.ts";
import type { Entities } from "./api_entities.ts";
import type { ApiWorld } from "../service/api_world.ts";

/**
 * Right to do something: a session with this role or a higher one, or a key with one of these
 * scopes.
 */
export interface Right {
  role: Role | null;
  scopes: readonly string[] | "any";
}

export const none: Right = { role: null, scopes: [] };
export const members = (...scopes: string[]): Right => ({ role: "viewer", scopes });
export const admins = (...scopes: string[]): Right => ({ role: "admin", scopes });

/** Caller of the access tests. */
export interface NamedActor extends Actor {
  name: string;
  mayDo(right: Right): boolean;
}

/** Creates every kind of caller that could try something with the entities. */
export async function createActors(world: ApiWorld, entities: Entities): Promise<NamedActor[]> {
  const { workspaceId } = entities;
  const elsewhere = await world.createWorkspace();
  const nobody = () => false;
  const signUp = async (target: string, role: Role) => {
    const userId = await world.createUser();
    await world.sql`
      insert into public.workspace_members (workspace_id, user_id, role)
      values (${target}, ${userId}, ${role})`;
    return userId;
  };
  const sessions = await Promise.all(roles.map(async (role): Promise<NamedActor> => ({
    name: role,
    role: "signalpost_user",
    userId: await signUp(workspaceId, role),
    actingWorkspaceId: workspaceId,
    mayDo: (right) => right.role !== null && roles.indexOf(role) <= roles.indexOf(right.role),
  })));
  const keys = allScopes.map((scope): NamedActor => ({
    name: `key with ${scope}`,
    role: "signalpost_key",
    workspaceId,
    scopes: [scope],
    mayDo: ({ scopes }) => scopes === "any" || scopes.includes(scope),
  }));
  const stranger = await signUp(elsewhere, "owner");
  return [
    ...sessions,
    ...keys,
    {
      name: "owner elsewhere",
      role: "signalpost_user",
      userId: stranger,
      actingWorkspaceId: elsewhere,
      mayDo: nobody,
    },
    {
      name: "owner elsewhere who claims to act here",
      role: "signalpost_user",
      userId: stranger,
      actingWorkspaceId: workspaceId,
      mayDo: nobody,
    },
    {
      name: "key elsewhere",
      role: "signalpost_key",
      workspaceId: elsewhere,
      scopes: allScopes,
      mayDo: nobody,
    },
    { name: "session without a user", role: "signalpost_user", mayDo: nobody },
    { name: "role of keys without a key", role: "signalpost_key", mayDo: nobody },
    ...dataApiRoles.map((role): NamedActor => ({
      ...sessions[0]!,
      name: `Data API as ${role}`,
      role,
      workspaceId,
      scopes: allScopes,
      mayDo: nobody,
    })),
    { name: "ingest", role: "signalpost_ingest", mayDo: nobody },
    { name: "dispatch", role: "signalpost_dispatch", mayDo: nobody },
    { name: "send", role: "signalpost_send", mayDo: nobody },
    { name: "automation", role: "signalpost_automation", mayDo: nobody },
    { name: "links", role: "signalpost_links", mayDo: nobody },
  ];
}
