import assert from "node:assert/strict";
import { listenPatiently } from "../../local/postgres/ports.ts";

const { signal } = new AbortController();

Deno.test("listenPatiently() takes a port as soon as it is free", async () => {
  const holder = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = holder.addr;
  let attempts = 0;
  using listener = await listenPatiently(() => {
    if (++attempts === 3) holder.close();
    return Deno.listen({ hostname: "127.0.0.1", port });
  }, signal);
  assert.deepEqual([listener.addr.port, attempts], [port, 3]);
});

Deno.test("listenPatiently() waits only for a port in use, and stops when asked to", async () => {
  const denied = () => {
    throw new Deno.errors.PermissionDenied();
  };
  await assert.rejects(listenPatiently(denied, signal), Deno.errors.PermissionDenied);
  const inUse = () => {
    throw new Deno.errors.AddrInUse();
  };
  await assert.rejects(listenPatiently(inUse, AbortSignal.abort()), { name: "AbortError" });
});
