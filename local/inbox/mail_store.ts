/** Names that SMTP gives a mail: who it is from, and for whom. */
export interface Envelope {
  from: string;
  to: readonly string[];
}

/** A received mail, as it came. */
export interface StoredMail {
  id: string;
  receivedAt: Date;
  envelope: Envelope;
  source: Uint8Array<ArrayBuffer>;
}

export interface MailStoreOptions {
  /** Most mails; the oldest go first. @default 500 */
  maxMails?: number;
  /** Most bytes of all mails; the oldest go first. @default 64 MiB */
  maxBytes?: number;
  /** @default the time */
  now?: () => Date;
}

/** Received mails in memory, within a number and a size. */
export interface MailStore {
  /** Keeps a mail, and returns its id. */
  add(envelope: Envelope, source: Uint8Array<ArrayBuffer>): string;
  find(id: string): StoredMail | undefined;
  /** Lists the kept mails, newest first. */
  list(): StoredMail[];
  /** Deletes all mails. */
  clear(): void;
  /** Resolves when the next mail arrives, or after a time in ms. */
  waitForNext(timeoutMs: number): Promise<void>;
}

/** Creates an empty store. */
export function createMailStore(options: MailStoreOptions = {}): MailStore {
  const { maxMails = 500, maxBytes = 64 * 1024 * 1024, now = () => new Date() } = options;
  const mails = new Map<string, StoredMail>();
  const waiting = new Set<() => void>();
  let bytes = 0;

  function dropOldest(): void {
    for (const [id, { source }] of mails) {
      if (mails.size <= maxMails && bytes <= maxBytes) return;
      mails.delete(id);
      bytes -= source.length;
    }
  }

  return {
    add(envelope, source) {
      const id = crypto.randomUUID();
      mails.set(id, { id, receivedAt: now(), envelope, source });
      bytes += source.length;
      dropOldest();
      for (const wake of waiting) wake();
      return id;
    },
    find: (id) => mails.get(id),
    list: () => [...mails.values()].reverse(),
    clear() {
      mails.clear();
      bytes = 0;
    },
    async waitForNext(timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer = setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
    },
  };
}
