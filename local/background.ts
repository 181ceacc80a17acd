import type { EdgeFunction } from "./functions.ts";

/** A request to a function of the thread. */
export interface ThreadCall {
  id: number;
  name: string;
  url: string;
  method: string;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

/** The function's response. */
export interface ThreadResponse {
  id: number;
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer;
}

/** To the thread: the functions to load, once; then calls; at last, to end. */
export type ThreadOrder = { load: readonly string[] } | { call: ThreadCall } | { end: true };

/** From the thread. */
export type ThreadNews =
  | { loaded: true }
  | { failed: string }
  | { response: ThreadResponse }
  | { ended: true };

/** Functions in a thread of their own. */
export interface Background {
  functions: Map<string, EdgeFunction>;
  /** Tells the functions to end, and resolves when the work they continue with has ended. */
  end(): Promise<void>;
}

/**
 * Loads functions in a thread of their own, as the platform gives each function a process: their
 * work delays no response, and uses a second core.
 *
 * @throws Error if a function cannot be loaded, for example because a variable is invalid
 */
export async function startBackground(names: readonly string[]): Promise<Background> {
  const thread = new Worker(new URL("background_thread.ts", import.meta.url), { type: "module" });
  const order = (message: ThreadOrder, transfer: ArrayBuffer[] = []) =>
    thread.postMessage(message, transfer);
  const loaded = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const calls = new Map<number, (response: ThreadResponse) => void>();
  thread.onmessage = ({ data }: MessageEvent<ThreadNews>) => {
    if ("loaded" in data) return loaded.resolve();
    if ("failed" in data) return loaded.reject(new Error(data.failed));
    if ("ended" in data) return ended.resolve();
    calls.get(data.response.id)?.(data.response);
    calls.delete(data.response.id);
  };
  let last = 0;
  const call = async (name: string, request: Request): Promise<Response> => {
    const { url, method, headers } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    const id = ++last;
    const answer = new Promise<ThreadResponse>((resolve) => calls.set(id, resolve));
    order({ call: { id, name, url, method, headers: [...headers], body } }, body ? [body] : []);
    const response = await answer;
    return new Response(response.body, response);
  };
  order({ load: names });
  try {
    await loaded.promise;
  } catch (error) {
    thread.terminate();
    throw error;
  }
  return {
    functions: new Map(names.map((name) => [name, (request) => call(name, request)])),
    async end() {
      order({ end: true });
      await ended.promise;
      thread.terminate();
    },
  };
}
