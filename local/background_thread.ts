// The thread of the functions that work in the background; see background.ts.
import type { ThreadCall, ThreadNews, ThreadOrder, ThreadResponse } from "./background.ts";
import { type EdgeFunction, loadFunctions, provideEdgeRuntime } from "./functions.ts";

/** The thread's own end of the connection. */
const port = globalThis as unknown as {
  onmessage: (event: MessageEvent<ThreadOrder>) => Promise<void>;
  postMessage(news: ThreadNews, transfer?: ArrayBuffer[]): void;
};
const runtime = provideEdgeRuntime();
let functions: Map<string, EdgeFunction>;

port.onmessage = async ({ data }) => {
  if ("load" in data) {
    port.postMessage(await load(data.load));
  } else if ("call" in data) {
    const response = await call(data.call);
    port.postMessage({ response }, [response.body]);
  } else {
    await runtime.end();
    port.postMessage({ ended: true });
  }
};

async function load(names: readonly string[]): Promise<ThreadNews> {
  try {
    functions = await loadFunctions((name) => names.includes(name));
    return { loaded: true };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

async function call({ id, name, url, ...init }: ThreadCall): Promise<ThreadResponse> {
  const response = await functions.get(name)!(new Request(url, init));
  const { status, headers } = response;
  return { id, status, headers: [...headers], body: await response.arrayBuffer() };
}
