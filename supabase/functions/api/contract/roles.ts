/** Roles of a user in a workspace, from the most powerful to the least. */
export const roles = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof roles)[number];
