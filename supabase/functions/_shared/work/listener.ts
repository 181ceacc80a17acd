import { canListen, type Sql } from "../db/connect.ts";

/** Connection on which the database announces work. */
export interface WorkListener {
  /** Connects if needed, and tests whether announcements arrive. */
  open(): void;
  /** True if announcements arrive: never behind a transaction pooler, nor before the test. */
  readonly isHearing: boolean;
}

/** Makes a listener that calls `tell` for each empty NOTIFY on a channel. */
export function createListener(
  sql: Sql,
  { channel, tell }: { channel: string; tell: () => void },
): WorkListener {
  const own = crypto.randomUUID();
  let listening: Promise<unknown> | null = null;
  let isHearing = false;
  const onNotify = (payload: string) => {
    if (payload === own) isHearing = true;
    // Any other text is another listener's test.
    else if (payload === "") tell();
  };
  const test = () => sql.notify(channel, own);
  return {
    get isHearing() {
      return isHearing;
    },
    open() {
      isHearing = false;
      if (!canListen(sql)) return;
      listening ??= sql.listen(channel, onNotify);
      listening.then(test).catch(() => listening = null);
    },
  };
}
