const storageKey = "signalpost-time-zone";
const listeners = new Set<() => void>();
let chosen: string | null | undefined;

/** Returns the time zone of the browser, such as "Europe/Berlin". */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the time zone that times are shown in: the chosen one, or that of the browser. */
export function currentZone(): string {
  if (chosen === undefined) chosen = readChosen();
  return chosen ?? browserZone();
}

/** Shows all times in a zone from now on, in this browser. @param zone null for the browser's. */
export function chooseZone(zone: string | null): void {
  if (zone === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, zone);
  announce();
}

/** Calls a listener when the zone changes, in any tab. Returns a function that stops it. */
export function watchZone(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", onStorage);
  };
}

function onStorage(event: object): void {
  if ("key" in event && event.key === storageKey) announce();
}

function announce(): void {
  chosen = undefined;
  for (const listener of listeners) listener();
}

/** Returns the stored zone; null without one, or where this browser does not know it. */
function readChosen(): string | null {
  const stored = localStorage.getItem(storageKey);
  if (stored === null) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: stored }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
