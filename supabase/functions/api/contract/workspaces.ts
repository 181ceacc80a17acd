import { z } from "zod";
import { roles } from "./roles.ts";
import { timezone } from "../../_shared/entries/fields.ts";
import { sendSettings, sendSettingsEdit } from "./send_settings.ts";
import { boolean, expected, id, text, timestamp } from "./fields.ts";

/** Kinds that a plan limits per workspace: `max_<kind>` in the plan, `<kind>` in the usage. */
export const ownLimits = [
  "members",
  "invitations",
  "api_keys",
  "destinations",
  "sources",
  "jobs",
  "topics",
  "segments",
  "journeys",
  "rehearsals",
  "campaigns",
  "templates",
  "senders",
  "alert_rules",
  "views",
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
      .meta({ description: "Rejected entries kept per UTC day; any more are only counted." }),
    rejected_bytes_per_day: z.int(),
    max_workspaces_per_user: z.int().nullable()
      .meta({
        description: "Workspaces on this plan that one user may create; null means unlimited.",
      }),
    ...Object.fromEntries(ownLimits.map((kind) => [`max_${kind}`, z.int()])) as MaxFields,
    max_destination_secrets: z.int().meta({ description: "Live secrets per destination." }),
    max_source_secrets: z.int().meta({ description: "Live secrets per source." }),
    max_device_tokens: z.int().meta({ description: "Device tokens per customer." }),
  }).meta({
    description:
      "Quotas, and the maximum number of each kind in the workspace. Exceeding a maximum " +
      "returns 409 `limit_reached`.",
  }),
  fill_browser_ip: z.boolean().meta({
    description:
      "If true, the sender's address fills `context.ip` of entries from Segment's browser library.",
  }),
  timezone: z.string().meta({
    description: "For customers without a time zone of their own.",
    example: "Europe/Berlin",
  }),
  ...sendSettings,
  role: z.enum(roles).meta({ description: "The caller's own role." }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "Workspace" });

export const workspaceWithUse = workspace.extend({
  use: z.object(Object.fromEntries(ownLimits.map((kind) => [kind, z.int()])) as UseFields)
    .meta({ description: "Number of each kind in use; the plan's `max_…` is the limit." }),
}).meta({ id: "WorkspaceWithUse" });

export const workspaceFields = z.strictObject({ name: text(200).meta({ example: "Acme" }) });

export const workspaceEdit = z.strictObject({
  name: workspaceFields.shape.name.optional(),
  fill_browser_ip: boolean.optional(),
  timezone: timezone.optional(),
  expected,
  ...sendSettingsEdit,
});
