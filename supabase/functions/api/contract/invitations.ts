import { z } from "zod";
import { roles } from "../../_shared/access/caller.ts";
import { id, timestamp } from "./fields.ts";

export const invitation = z.object({
  id,
  workspace: z.object({
    id,
    name: z.string().meta({ description: "As its owners call it: no proof of who they are." }),
  }),
  role: z.enum(roles).meta({ description: "What you would be." }),
  invited_by: z.string().nullable().meta({
    description: "Address of the member who invited you; null when that account was deleted.",
    example: "ada@example.com",
  }),
  created_at: timestamp,
  expires_at: timestamp,
}).meta({ id: "Invitation" });
