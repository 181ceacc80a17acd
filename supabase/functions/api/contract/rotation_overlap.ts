import { integer } from "./fields.ts";

const daySeconds = 24 * 60 * 60;

/** Default time in seconds for which the previous secret stays valid after a rotation. */
export const usualOverlapSeconds = daySeconds;

/** Seconds for which the previous secret stays valid after a rotation: up to 7 days. */
export const overlapSeconds = integer(0, 7 * daySeconds).optional();
