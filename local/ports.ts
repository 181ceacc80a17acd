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
