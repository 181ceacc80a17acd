import { addressOf } from "../../../../supabase/functions/api/contract/client.ts";
import { loadConfig } from "../../early/config.ts";
import { requestEarly } from "../../early/early_responses.ts";
import { isFresh, readStoredSession } from "../../early/stored_session.ts";
import { loadPageFiles } from "./load_page_files.ts";
import { listReads, type Read, read, workspaceOf } from "./page_reads.ts";

const signInPath = "/sign-in";

/** Returns whether the page at a path needs no session. */
const isOpen = (path: string) => ["/sign-up", "/forgot-password", "/reset-password"].includes(path);

/**
 * Requests what the first page needs beside the large first script, which would ask for it only
 * after it has arrived and run. Without a session there is another page first: the sign-in page.
 */
async function startEarly(): Promise<void> {
  const { pathname, search } = location;
  const session = readStoredSession();
  if (session === null) return loadPageFiles(isOpen(pathname) ? pathname : signInPath, true);
  loadPageFiles(pathname, isFresh(session));
  if (!isFresh(session)) return;
  const { baseUrl } = await loadConfig();
  const authorization = `Bearer ${session.access_token}`;
  const send = ({ route, input }: Read, headers: Record<string, string>) =>
    requestEarly(`${baseUrl}/functions/v1/api${addressOf(route, input)}`, {
      method: route.split(" ")[0]!,
      headers: { authorization, ...headers },
    });
  send(read("GET /workspaces", { query: { limit: 200 } }), {});
  const workspaceId = workspaceOf(pathname);
  if (workspaceId === undefined) return;
  const sendReads = async (reads: readonly Read[]): Promise<void> => {
    await Promise.all(reads.map(async (each) => {
      const readCopy = send(each, { "x-workspace-id": workspaceId });
      if (each.next) await sendReads(each.next(await readCopy() as never));
    }));
  };
  await sendReads(listReads(pathname, search));
}

// The page's own script reports what is wrong with the configuration.
startEarly().catch(() => {});
