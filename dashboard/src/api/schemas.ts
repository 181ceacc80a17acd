import { z } from "zod";

export const workspaceBody = z.strictObject({ name: z.string().trim().min(1).max(200) });
export const customerPatch = z.looseObject({ attributes: z.record(z.string(), z.unknown()) });
export const destinationBody = z.looseObject({ name: z.string().min(1), url: z.string().min(1) });
export const apiKeyBody = z.looseObject({
  name: z.string().min(1),
  scopes: z.array(z.string()).min(1),
});
export const memberBody = z.strictObject({
  email: z.email(),
  role: z.enum(["owner", "admin", "member", "viewer"]),
});
