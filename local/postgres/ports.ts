/** A port of the loopback interface that nobody listens on, `preferred` if that is one. */
export function findFreePort(preferred = 0): number {
  try {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: preferred });
    return listener.addr.port;
  } catch (error) {
    if (preferred !== 0 && error instanceof Deno.errors.AddrInUse) return findFreePort();
    throw error;
  }
}

const patienceMs = 5_000;
const pauseMs = 100;

/**
 * Listens, and tries again for 5 s while the port is in use: an outgoing connection may have been
 * given it, which does not last.
 */
export async function listenPatiently<Listener>(
  listen: () => Listener,
  signal: AbortSignal,
): Promise<Listener> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return listen();
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    signal.throwIfAborted();
  }
}
