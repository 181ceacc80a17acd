import type { Caller, SessionCaller } from "./caller.ts";

/** Returns the user of a route that API keys may not call. */
export function requireUser(caller: Caller): SessionCaller {
  if (caller.kind === "session") return caller;
  throw new Error("Cannot find the user of a call: it was made with an API key");
}
