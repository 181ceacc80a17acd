import type { Role } from "../../api/types.ts";

/** What each role may do, in words. */
export const ROLES: Record<Role, string> = {
  owner: "Everything, and the workspace itself",
  admin: "Keys, team, destinations and sources",
  member: "Edit and erase customers, test and replay",
  viewer: "See everything, change nothing",
};

export const ROLE_OPTIONS = (Object.keys(ROLES) as Role[]).map((value) => ({
  value,
  label: `${value[0]?.toUpperCase()}${value.slice(1)}: ${ROLES[value].toLowerCase()}`,
}));
