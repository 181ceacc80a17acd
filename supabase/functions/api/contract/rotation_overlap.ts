import { integer } from "./fields.ts";

const daySeconds = 24 * 60 * 60;

/** How long the secret before stays valid, where a rotation does not say. */
export const usualOverlapSeconds = daySeconds;

/** How long the secret before a rotation stays valid: up to 7 days. */
export const overlapSeconds = integer(0, 7 * daySeconds).optional();
