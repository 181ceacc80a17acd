import { z } from "zod";
import { roles } from "../../_shared/access/caller.ts";
import { boolean, id, text, timestamp } from "./fields.ts";

/** What a plan limits for each workspace: `max_<kind>` of the plan, `<kind>` of what is used. */
export const ownLimits = [
  "members",
  "invitations",
  "api_keys",
  "destinations",
  "sources",
  "jobs",
] as const;
export type OwnLimit = (typeof ownLimits)[number];

type MaxFields = Record<`max_${OwnLimit}`, z.ZodInt>;
type UseFields = Record<OwnLimit, z.ZodInt>;

export const workspace = z.object({
  id,
  name: z.string().meta({ example: "Acme" }),
  plan: z.object({
    id: z.string().meta({ example: "free" }),
    ingest_per_second: z.int(),
    ingest_burst: z.int(),
    api_per_second: z.int(),
    api_burst: z.int(),
    ingest_bytes_per_day: z.int(),
    rejected_entries_per_day: z.int()
      .meta({ description: "Refused entries that are kept of a UTC day; more are only counted." }),
    rejected_bytes_per_day: z.int(),
    max_workspaces_per_user: z.int().nullable()
      .meta({ description: "Workspaces of this plan that one user may create; null: any number." }),
    ...Object.fromEntries(ownLimits.map((kind) => [`max_${kind}`, z.int()])) as MaxFields,
    max_destination_secrets: z.int().meta({ description: "Live secrets of one destination." }),
    max_source_secrets: z.int().meta({ description: "Live secrets of one source." }),
    max_device_tokens: z.int().meta({ description: "Device tokens of one customer." }),
  }).meta({
    description: "Quotas, and how many of each kind the workspace may have. More than that is " +
      "409 `limit_reached`.",
  }),
  fill_browser_ip: z.boolean().meta({
    description: "Whether `context.ip` of what Segment's browser library sends is filled in.",
  }),
  role: z.enum(roles).meta({ description: "The caller's own role." }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "Workspace" });

export const workspaceWithUse = workspace.extend({
  use: z.object(Object.fromEntries(ownLimits.map((kind) => [kind, z.int()])) as UseFields)
    .meta({ description: "How many of each kind there are; `max_…` of the plan is the limit." }),
}).meta({ id: "WorkspaceWithUse" });

export const workspaceFields = z.strictObject({ name: text(200).meta({ example: "Acme" }) });

export const workspaceEdit = z.strictObject({
  name: workspaceFields.shape.name.optional(),
  fill_browser_ip: boolean.optional(),
});
