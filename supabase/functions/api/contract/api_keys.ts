import { z } from "zod";
import { scopes } from "../../_shared/access/auth.ts";
import { id, oneOf, text, time, timestamp } from "./fields.ts";

export const apiKey = z.object({
  id,
  name: z.string().meta({ example: "Web shop" }),
  last_four: z.string().length(4).meta({ example: "x7Yz" }),
  scopes: z.array(z.enum(scopes)),
  created_by: id.nullable(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({ description: "Accurate to one minute." }),
}).meta({ id: "ApiKey" });

export const newApiKey = z.strictObject({
  name: text(200).meta({ example: "Web shop" }),
  scopes: z.array(oneOf(scopes), { error: "must be an array of scopes" })
    .min(1, "must contain at least one scope").max(scopes.length, "must not repeat a scope")
    .refine((values) => new Set(values).size === values.length, "must not repeat a scope"),
  expires_at: time.nullable().optional().meta({ description: "Must be in the future." }),
});
