import { z } from "zod";
import { roles } from "../../_shared/access/caller.ts";
import { email } from "../../_shared/entries/fields.ts";
import { id, oneOf, timestamp } from "./fields.ts";

export const member = z.object({
  id: id.meta({ description: "The user's id, or the invitation's." }),
  user_id: id.nullable().meta({ description: "Null for an invitation." }),
  email: z.string().nullable().meta({ example: "ada@example.com" }),
  role: z.enum(roles),
  state: z.enum(["active", "invited", "declined"]).meta({
    description: "`invited` until the invitation is accepted or declined, also when it has ended.",
  }),
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: "When an invitation ends." }),
}).meta({ id: "Member" });

export const role = oneOf(roles);

export const newMember = z.strictObject({
  email: email.meta({ example: "ada@example.com" }),
  role,
});
