import { z } from "zod";
import { roles } from "./roles.ts";
import { email } from "../../_shared/entries/fields.ts";
import { id, oneOf, timestamp } from "./fields.ts";

export const member = z.object({
  id: id.meta({ description: "Id of the user or of the invitation." }),
  user_id: id.nullable().meta({ description: "Null for an invitation." }),
  email: z.string().nullable().meta({ example: "ada@example.com" }),
  role: z.enum(roles),
  state: z.enum(["active", "invited", "declined"]).meta({
    description: "`invited` until the invitation is accepted or declined, even after it expires.",
  }),
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: "When the invitation expires." }),
  invited_by: z.string().nullable().meta({
    description: "E-mail address of the member who created the invitation; null for members, and " +
      "if that account was deleted.",
    example: "ada@example.com",
  }),
  last_active_at: timestamp.nullable().meta({
    description: "When the member last used a session that has not been ended, in any " +
      "workspace. Auth renews it about once an hour. Null for invitations, without a session, and for callers who are " +
      "not admins.",
  }),
  mailed_at: timestamp.nullable().meta({
    description: "When the newest mail about the invitation was queued; null for none.",
  }),
  send_id: id.nullable().meta({ description: "The send of that mail, in `GET /sends/{id}`." }),
}).meta({ id: "Member" });

export const invitedMember = member.extend({
  mail: z.enum(["queued", "no_sender", "limit_reached", "not_asked"]).meta({
    description:
      "Whether the invitation is mailed. `no_sender`: the workspace has no sender that " +
      "is enabled · `limit_reached`: it mailed 20 invitations within an hour · `not_asked`: the " +
      "request had no `dashboard_url`.",
  }),
}).meta({ id: "InvitedMember" });

const dashboardUrl = z.url({ protocol: /^https?$/, error: "must be an http(s) address" })
  .max(500, "must be at most 500 characters long").meta({
    description: "Address of the dashboard, to which the link in the mail leads.",
    example: "https://dashboard.example.com",
  });

export const role = oneOf(roles);

export const newMember = z.strictObject({
  email: email.meta({ example: "ada@example.com" }),
  role,
  dashboard_url: dashboardUrl.optional(),
});

export const invitationMail = z.strictObject({ dashboard_url: dashboardUrl });
