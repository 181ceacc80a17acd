import { z } from "zod";
import { id, timestamp } from "./fields.ts";

export const session = z.object({
  id,
  is_current: z.boolean().meta({ description: "True for the session that makes this call." }),
  created_at: timestamp.nullable().meta({ description: "Time of the sign-in." }),
  last_active_at: timestamp.nullable().meta({
    description: "Time of the last renewal of its token, or of the sign-in.",
  }),
  user_agent: z.string().nullable().meta({
    description: "The browser's `User-Agent`; null if Auth does not record it.",
    example: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  }),
  ip: z.string().nullable().meta({
    description: "IP address of the browser; null if Auth does not record it.",
    example: "203.0.113.7",
  }),
}).meta({ id: "Session" });
