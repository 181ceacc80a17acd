import { Buffer } from "node:buffer";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Identity } from "./certificates.ts";

const headTerminator = "\r\n\r\n";

/** A request as it came, before any response. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** In the order and spelling of the wire, repeated ones too. */
  headers: [name: string, value: string][];
  body: Uint8Array;
  /** Number of the connection it came on, counted from 1. */
  connection: number;
}

/**
 * Request and bare socket that a behaviour works with; the socket lets it break every rule of
 * HTTP.
 */
export interface Exchange {
  socket: Socket;
  request: ReceivedRequest;
  /** Counted from 1, over all connections. */
  number: number;
}

/** Response of a receiver to one request; see `receiver_behaviours.ts`. */
export type Behaviour = (exchange: Exchange) => void | Promise<void>;

/** A receiver of webhooks on the loopback, which does what the test tells it to. */
export interface Receiver {
  port: number;
  requests: ReceivedRequest[];
  /** Number of connections made to it, whether or not a request came over them. */
  readonly connections: number;
  /** Number of them that are open. */
  readonly openConnections: number;
  /** Bytes written to all of them, including those that still wait in a buffer. */
  readonly bytesWritten: number;
  /** Responds like this from now on. */
  use(behaviour: Behaviour): void;
  /** Resolves when that many requests have come in all. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves when at most that many connections are open, after at least one was. */
  waitForDisconnect(atMost?: number): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  behaviour: Behaviour;
  /** Serves TLS with it; plain HTTP without. */
  identity?: Identity;
  /** Default: 127.0.0.1 and a free port. */
  hostname?: string;
  port?: number;
  /** Accepts connections and never sends anything, not even a TLS handshake. */
  isMute?: boolean;
  /** Sent at once on every connection, before any request. */
  greeting?: string;
}

/** Starts a receiver of webhooks on a raw socket. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const state = new ReceiverState(options.behaviour);
  const serve = (socket: Socket) => {
    if (options.greeting) socket.write(options.greeting);
    void state.serve(socket);
  };
  const server: Server = options.identity
    ? createTlsServer({ ...options.identity }, serve)
    : createServer(options.isMute ? (socket) => void socket.resume() : serve);
  server.on("connection", (socket: Socket) => state.track(socket));
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) =>
    server.listen(options.port ?? 0, options.hostname ?? "127.0.0.1", () => resolve())
  );
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    requests: state.requests,
    get connections() {
      return state.connections;
    },
    get openConnections() {
      return state.open.size;
    },
    get bytesWritten() {
      return state.sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);
    },
    use: (behaviour) => void (state.behaviour = behaviour),
    waitForRequests: (count) => state.waitUntil(() => state.requests.length >= count),
    waitForDisconnect: (atMost = 0) =>
      state.waitUntil(() => state.connections > 0 && state.open.size <= atMost),
    close: () => closeServer(server, state),
  };
}

class ReceiverState {
  requests: ReceivedRequest[] = [];
  connections = 0;
  open = new Set<Socket>();
  sockets: Socket[] = [];
  behaviour: Behaviour;
  #waiting: { isDone: () => boolean; resolve: () => void }[] = [];

  constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
  }

  track(socket: Socket): void {
    this.connections += 1;
    this.open.add(socket);
    this.sockets.push(socket);
    socket.on("close", () => {
      this.open.delete(socket);
      this.#wake();
    });
    socket.on("error", () => {});
  }

  async serve(socket: Socket): Promise<void> {
    const connection = this.connections;
    socket.on("error", () => {});
    let pending = Buffer.alloc(0);
    try {
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        pending = Buffer.concat([pending, chunk]);
        const taken = takeRequest(pending, connection);
        if (taken === null) continue;
        pending = taken.rest;
        this.requests.push(taken.request);
        this.#wake();
        await this.behaviour({ socket, request: taken.request, number: this.requests.length });
      }
    } catch {
      // The other side broke the connection, which is for its own test to judge.
    }
  }

  waitUntil(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ isDone, resolve });
      this.#wake();
    });
  }

  #wake(): void {
    for (const { isDone, resolve } of this.#waiting) if (isDone()) resolve();
    this.#waiting = this.#waiting.filter(({ isDone }) => !isDone());
  }
}

function takeRequest(
  bytes: Buffer,
  connection: number,
): { request: ReceivedRequest; rest: Buffer<ArrayBuffer> } | null {
  const headEnd = bytes.indexOf(headTerminator);
  if (headEnd < 0) return null;
  const [start = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const [method = "", path = ""] = start.split(" ");
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "0";
  const bodyStart = headEnd + headTerminator.length;
  const bodyEnd = bodyStart + Number(length);
  if (bytes.length < bodyEnd) return null;
  const body = Uint8Array.from(bytes.subarray(bodyStart, bodyEnd));
  return {
    request: { method, path, headers, body, connection },
    rest: Buffer.from(bytes.subarray(bodyEnd)),
  };
}

function closeServer(server: Server, state: ReceiverState): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of state.open) socket.destroy();
  });
}
