import { isRecord } from "../../_shared/json/json.ts";

export interface SenderOrigin {
  workspaceId: string;
  address: string | undefined;
  isBrowser: boolean;
}

const maxPartCharacters = 255;

/**
 * Returns a name for everything that shares one clock with the sender of a message: the message's
 * device, a browser's visitor, or else the library and its source address.
 */
export function nameSender(message: unknown, origin: SenderOrigin): string {
  const { workspaceId, address, isBrowser } = origin;
  const context = memberOf(message, "context");
  const device = memberOf(memberOf(context, "device"), "id");
  const visitor = isBrowser ? memberOf(message, "anonymousId") : undefined;
  const library = memberOf(memberOf(context, "library"), "name");
  return JSON.stringify([workspaceId, library, device ?? visitor ?? address].map(shorten));
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function shorten(part: unknown): string {
  return typeof part === "string" ? part.slice(0, maxPartCharacters) : "";
}
