/** A way to a server that can be cut and opened again: what a lost database looks like. */
export interface TcpProxy {
  port: number;
  /** Cuts every connection; new ones are refused. */
  cut(): void;
  /** Lets connections through again. */
  open(): void;
  [Symbol.dispose](): void;
}

interface ProxyOptions {
  /** Receives the first bytes of each connection, which continue when it resolves. */
  beforeFirst?: (bytes: Uint8Array) => Promise<void>;
}

/** Starts a proxy whose connections a test can break or hold up. */
export function startTcpProxy(
  target: { hostname: string; port: number },
  { beforeFirst = () => Promise.resolve() }: ProxyOptions = {},
): TcpProxy {
  let listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const connections = new Set<Deno.TcpConn>();

  async function join(from: Deno.TcpConn): Promise<void> {
    const to = await Deno.connect(target);
    for (const end of [from, to]) connections.add(end);
    let isFirst = true;
    const held = new TransformStream<Uint8Array, Uint8Array>({
      async transform(bytes, controller) {
        if (isFirst) await beforeFirst(bytes);
        isFirst = false;
        controller.enqueue(bytes);
      },
    });
    // A cut end fails the other one too: that is the point.
    await Promise.allSettled([
      from.readable.pipeThrough(held).pipeTo(to.writable),
      to.readable.pipeTo(from.writable),
    ]);
  }

  async function serve(): Promise<void> {
    try {
      for await (const connection of listener) void join(connection);
    } catch {
      // Closing the listener ends the loop.
    }
  }

  function cut(): void {
    listener.close();
    for (const end of connections) {
      try {
        end.close();
      } catch {
        // Its stream has closed it already.
      }
    }
    connections.clear();
  }

  void serve();
  let isOpen = true;
  return {
    port,
    cut() {
      if (isOpen) cut();
      isOpen = false;
    },
    open() {
      listener = Deno.listen({ hostname: "127.0.0.1", port });
      isOpen = true;
      void serve();
    },
    [Symbol.dispose]() {
      this.cut();
    },
  };
}
