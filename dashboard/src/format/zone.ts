const storageKey = "signalpost-time-zone";
const listeners = new Set<() => void>();
/** Kept, because asking the browser takes longer than a row of a list. */
let current: string | undefined;

/** Returns the time zone of the browser, such as "Europe/Berlin". */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns the time zone that times are shown in: the chosen one, or that of the browser. */
export function currentZone(): string {
  return current ??= readChosen() ?? browserZone();
}

/** Shows all times in a zone from now on, in this browser. Its own zone is not kept: it may change. */
export function chooseZone(zone: string): void {
  if (zone === browserZone()) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, zone);
  announce();
}

/** Calls a listener when the zone changes, in any tab. Returns a function that stops it. */
export function watchZone(listener: () => void): () => void {
  if (listeners.size === 0) {
    addEventListener("storage", onStorage);
    // The clock of a laptop can move to another zone while a page is open.
    addEventListener("focus", announce);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener("storage", onStorage);
    removeEventListener("focus", announce);
  };
}

function onStorage(event: object): void {
  if ("key" in event && event.key === storageKey) announce();
}

function announce(): void {
  current = undefined;
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
