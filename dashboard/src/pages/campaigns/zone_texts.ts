import type { Campaign } from "../../api/types.ts";

/** Says when the recipients of a campaign get it, by its setting of time zones. */
export const zoneTexts: Record<Campaign["zone"], string> = {
  workspace: "Everyone at the same time",
  customer: "Each at that time in their own time zone, within a day",
};
