import type { ApiWorld } from "../service/api_world.ts";
import type { ServiceResponse } from "../service/app.ts";

/** Member of a team, as the api lists it. */
export interface ListedMember {
  id: string;
  user_id: string | null;
  email: string;
  role: string;
  state: string;
}

/** Actions of an admin on the team, through the api. */
export interface Admin {
  token: string;
  invite(email: string, role?: string): Promise<ServiceResponse>;
  withdraw(id: string): Promise<ServiceResponse>;
  changeRole(id: string, role: string): Promise<ServiceResponse>;
  list(): Promise<ListedMember[]>;
  /** Role and state of everybody listed with the address. */
  find(email: string): Promise<string[]>;
}

/** Signs in somebody with the role in a workspace (default: the world's). */
export async function actAsAdmin(
  world: ApiWorld,
  role: "admin" | "owner" = "admin",
  workspaceId = world.workspaceId,
): Promise<Admin> {
  const token = await world.signInAs(role, workspaceId);
  const send = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
  const list = async () => (await send("GET", "/members?limit=200")).body.data;
  return {
    token,
    invite: (email, role = "viewer") => send("POST", "/members", { email, role }),
    withdraw: (id) => send("DELETE", `/members/${id}`),
    changeRole: (id, role) => send("PATCH", `/members/${id}`, { role }),
    list,
    async find(email) {
      const listed: ListedMember[] = await list();
      return listed.filter((member) => member.email === email)
        .map(({ role, state }) => `${role} ${state}`);
    },
  };
}

/** Actions of a user on invitations, through the api. */
export interface Guest {
  userId: string;
  token: string;
  list(): Promise<ServiceResponse>;
  accept(id: string): Promise<ServiceResponse>;
  decline(id: string): Promise<ServiceResponse>;
  /** The user's workspaces: `own` or `joined`, and the role. */
  workspaces(): Promise<string[]>;
}

/** A user, by default a new one with the confirmed address. */
export async function actAsGuest(
  world: ApiWorld,
  email: string,
  knownId?: string,
): Promise<Guest> {
  const userId = knownId ?? await world.createUser(email);
  const token = await world.sessions.sign(userId);
  const send = (method: string, path: string) => world.send({ method, path, token });
  return {
    userId,
    token,
    list: () => send("GET", "/invitations"),
    accept: (id) => send("POST", `/invitations/${id}/accept`),
    decline: (id) => send("POST", `/invitations/${id}/decline`),
    async workspaces() {
      const { body } = await send("GET", "/workspaces");
      const rows: { id: string; role: string }[] = body.data;
      return rows.map(({ id, role }) => `${id === world.workspaceId ? "joined" : "own"} ${role}`)
        .toSorted();
    },
  };
}
