import { connectDatabase } from "../../supabase/functions/_shared/db/connect.ts";
import {
  createMessageLinks,
  type MessageLinks,
} from "../../supabase/functions/send-dispatch/message_links.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createLinksApp } from "../../supabase/functions/links/app.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/database.ts";
import { createWorkspace } from "./factories.ts";
import { createSentMessage, type SentMessage } from "./sent_messages.ts";

/** The links function on a database of the test's own, with a workspace and two topics. */
export interface LinksWorld {
  db: TestDatabase;
  workspaceId: string;
  /** People are subscribed to offers until they leave, and to news once they join. */
  topics: { news: string; offers: string };
  /** A sent message of the workspace, of the topic offers unless told otherwise. */
  createSend(message?: SentMessage): Promise<{ id: string; links: MessageLinks }>;
  /** The links of a send, as the message contains them. */
  linksOf(sendId: string, workspaceId?: string): Promise<MessageLinks>;
  /** Requests a URL of a message. */
  open(url: string, init?: RequestInit): Promise<Response>;
  /** Everything that a request could have changed, as one text. */
  readAll(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface LinksWorldOptions {
  now?: () => Date;
  /** URL of the static page. @default the function serves the pages */
  pagesUrl?: string;
}

/** Mail client of a person. */
export const person = {
  "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Safari/605.1",
  "accept": "text/html,application/xhtml+xml",
};

const linksUrl = "http://127.0.0.1/links";

/** Creates a workspace and the links function. */
export async function createLinksWorld(options: LinksWorldOptions = {}): Promise<LinksWorld> {
  const { now = () => new Date(), pagesUrl } = options;
  const db = await createTestDatabase();
  const workspaceId = await createWorkspace(db.sql, { name: "Ada & <Co>" });
  const sql = connectDatabase({
    url: db.url,
    role: "signalpost_links",
    applicationName: "test-links",
  });
  const log = createLog({ name: "links", write: () => {} });
  const app = createLinksApp({ sql, now, log, pagesUrl });
  const topics = await createTopics(db, workspaceId);
  const linksOf = async (sendId: string, ofWorkspace = workspaceId) => {
    const [row] = await db.sql<{ key: string }[]>`
      select encode(key, 'base64') as key from private.link_keys(array[${ofWorkspace}::uuid])`;
    const key = Uint8Array.from(atob(row!.key), (character) => character.charCodeAt(0));
    return createMessageLinks({ linksUrl, workspaceId: ofWorkspace, sendId, key });
  };
  return {
    db,
    workspaceId,
    topics,
    linksOf,
    async createSend(message = {}) {
      const id = await createSentMessage(db.sql, workspaceId, {
        topicId: topics.offers,
        ...message,
      });
      return { id, links: await linksOf(id) };
    },
    open: async (url, init = {}) => await app.request(url, { headers: person, ...init }),
    readAll: () => readAll(db),
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 1 });
      await db[Symbol.asyncDispose]();
    },
  };
}

async function createTopics({ sql }: TestDatabase, workspaceId: string) {
  const rows = await sql<{ key: string; id: string }[]>`
    insert into public.topics (workspace_id, key, name, description, default_state)
    values
      (${workspaceId}, 'news', 'News', 'Once a "month"', 'unsubscribed'),
      (${workspaceId}, 'offers', 'Offers', null, 'subscribed')
    returning key, id`;
  const idOf = (key: string) => rows.find((row) => row.key === key)!.id;
  return { news: idOf("news"), offers: idOf("offers") };
}

async function readAll({ sql }: TestDatabase): Promise<string> {
  const rows = await sql<{ text: string }[]>`
    select e::text as text from public.events as e
    union all select s::text from public.sends as s
    union all select c::text from private.consents as c
    union all select s::text from public.suppressions as s
    order by text`;
  return rows.map(({ text }) => text).join("\n");
}

/** Returns true if an address is subscribed to a topic of the world. */
export async function isSubscribed(
  { db, workspaceId, topics }: LinksWorld,
  topic: "news" | "offers",
  email = "ada@example.com",
): Promise<boolean> {
  const [row] = await db.sql<{ is: boolean }[]>`
    select private.is_subscribed(${workspaceId}, 'email', ${email}, ${topics[topic]}) as is`;
  return row!.is;
}

/** Makes the request of a form. */
export function postForm(
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): RequestInit {
  const body = new URLSearchParams(fields);
  return { method: "POST", body, headers: { ...person, ...headers } };
}
