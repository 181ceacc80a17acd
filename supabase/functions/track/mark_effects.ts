import { addEffect } from "../_shared/entries/effects.ts";
import type { TrackContext } from "./service.ts";

/**
 * Lets bounces, complaints and unsubscriptions take effect if the key may send. The key of a web page
 * may not: nobody's address must be suppressed from a browser.
 */
export function markEffects(c: TrackContext, texts: readonly string[]): readonly string[] {
  if (!c.get("apiKey").scopes.has("sends:write")) return texts;
  return texts.map((text) => addEffect(text));
}
