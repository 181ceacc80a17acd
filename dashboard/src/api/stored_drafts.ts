const prefix = "signalpost-draft:";

/** True after the person has moved on from the page that was loaded or that followed the sign-in. */
let isMovedOn = false;

/** Says whether the person has moved on: then dialogs with a draft wait until they are opened. */
export function setMovedOn(value: boolean): void {
  isMovedOn = value;
}

/** Returns whether dialogs with a draft are open at once: after a reload and after a sign-in. */
export function doDialogsReturn(): boolean {
  return !isMovedOn;
}

/** Returns the key of a draft in this tab's storage. */
export function keyOfDraft(userId: string | undefined, place: string): string {
  return `${prefix}${userId}:${place}`;
}

/** Returns the stored draft, or undefined if there is none. */
export function readDraft<Value>(key: string): Value | undefined {
  return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
}

/** Stores a draft, unless the storage has no room for it. */
export function writeDraft(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // An older version of it would be worse than none.
    sessionStorage.removeItem(key);
  }
}

/** Lists what follows the start in the keys of stored drafts. */
export function listDrafts(start: string): string[] {
  return listKeys().filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
}

/** Returns whether this tab holds drafts, which are lost when it is closed. */
export function hasStoredDrafts(): boolean {
  return listKeys().length > 0;
}

/** Deletes the stored drafts, except those of one user. */
export function deleteDrafts(keptUserId?: string): void {
  for (const key of listKeys()) {
    if (keptUserId === undefined || !key.startsWith(keyOfDraft(keptUserId, ""))) {
      sessionStorage.removeItem(key);
    }
  }
}

function listKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
}
