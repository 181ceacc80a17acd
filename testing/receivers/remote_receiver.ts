import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import type { ReceivedRequest } from "./receiver.ts";
import type * as makers from "./receiver_behaviours.ts";
import type {
  HostCommand,
  NamedBehaviour,
  ReceiverState,
  RemoteReceiverOptions,
} from "./receiver_host.ts";

type Makers = typeof makers;

/** The behaviours of `receiver_behaviours.ts`, for receivers in the other process. */
export const behaviours = new Proxy({}, {
  get: (_, maker) => (...args: unknown[]) => ({ maker, args }),
}) as { [Name in keyof Makers]: (...args: Parameters<Makers[Name]>) => NamedBehaviour };

/**
 * Receiver in another process, with the requests it had seen at the last command or `refresh()`.
 */
export interface RemoteReceiver {
  readonly port: number;
  readonly requests: Omit<ReceivedRequest, "connection">[];
  readonly connections: number;
  readonly openConnections: number;
  readonly bytesWritten: number;
  refresh(): Promise<void>;
  use(behaviour: NamedBehaviour): Promise<void>;
  waitForRequests(count: number): Promise<void>;
  waitForDisconnect(atMost?: number): Promise<void>;
  close(): Promise<void>;
}

// One process for a test file, made before its tests, so that none of them is blamed for it.
const host = await startHost();

/**
 * Starts a receiver in a process of its own, whose Deno has all that a rude server needs: the
 * hosted version has no `resetAndDestroy`, and a TLS server of it hangs.
 */
export async function startRemoteReceiver(options: RemoteReceiverOptions): Promise<RemoteReceiver> {
  let state = await send({ do: "start", options });
  const { id, port } = state;
  const run = async (command: HostCommand) => void (state = await send(command));
  return {
    port,
    get requests() {
      return state.requests.map((request) => ({
        ...request,
        body: Uint8Array.from(Buffer.from(request.body, "base64")),
      }));
    },
    get connections() {
      return state.connections;
    },
    get openConnections() {
      return state.openConnections;
    },
    get bytesWritten() {
      return state.bytesWritten;
    },
    refresh: () => run({ do: "read", id }),
    use: (behaviour) => run({ do: "use", id, behaviour }),
    waitForRequests: (count) => run({ do: "waitForRequests", id, count }),
    waitForDisconnect: (count = 0) => run({ do: "waitForDisconnect", id, count }),
    close: () => run({ do: "close", id }),
  };
}

async function send(command: HostCommand): Promise<ReceiverState> {
  const response = await fetch(host, { method: "POST", body: JSON.stringify(command) });
  if (!response.ok) throw new Error(`Cannot ${command.do} a receiver: ${await response.text()}`);
  return await response.json();
}

/** Returns the address that takes commands; the process ends with this one. */
async function startHost(): Promise<string> {
  const child = new Deno.Command(Deno.env.get("TEST_RECEIVER_DENO") ?? Deno.execPath(), {
    args: ["run", "-A", "--no-check", fileURLToPath(new URL("receiver_host.ts", import.meta.url))],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  child.unref();
  const output = child.stdout.pipeThrough(new TextDecoderStream());
  for await (const port of output) return `http://127.0.0.1:${port.trim()}/`;
  throw new Error("Cannot start the receivers' process");
}
