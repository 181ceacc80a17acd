import { z } from "zod";
import { roles } from "./roles.ts";
import { id, timestamp } from "./fields.ts";

export const invitation = z.object({
  id,
  workspace: z.object({
    id,
    name: z.string().meta({ description: "Chosen by its owners; it does not prove who they are." }),
  }),
  role: z.enum(roles).meta({ description: "Your role after you accept." }),
  invited_by: z.string().nullable().meta({
    description: "E-mail address of the member who invited you; null if that account was deleted.",
    example: "ada@example.com",
  }),
  created_at: timestamp,
  expires_at: timestamp,
}).meta({ id: "Invitation" });
