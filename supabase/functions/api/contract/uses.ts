import { z } from "zod";
import { id } from "./fields.ts";

/** Uses of a resource. */
export const usedBy = z.array(z.object({
  kind: z.enum(["segment", "campaign", "journey"]),
  id,
  name: z.string(),
})).meta({
  description:
    "What uses the resource: segments whose condition refers to it, campaigns that have not " +
    "ended, and journeys that were not stopped.",
});
