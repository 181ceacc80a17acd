import { z } from "zod";
import { roles } from "../../../_shared/db/caller.ts";
import { id, text, timestamp } from "../../fields.ts";

export const workspace = z.object({
  id,
  name: z.string().meta({ example: "Acme" }),
  plan: z.object({
    id: z.string().meta({ example: "free" }),
    ingest_per_second: z.int(),
    ingest_burst: z.int(),
    api_per_second: z.int(),
    api_burst: z.int(),
  }).meta({ description: "Quotas: two token buckets, each with a rate and a burst." }),
  role: z.enum(roles).meta({ description: "The caller's own role." }),
  created_at: timestamp,
  updated_at: timestamp,
}).meta({ id: "Workspace" });

export const workspaceFields = z.strictObject({ name: text(200).meta({ example: "Acme" }) });
