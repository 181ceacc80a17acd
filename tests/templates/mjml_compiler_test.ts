import assert from "node:assert/strict";
import { createMjmlCompiler } from "../../supabase/functions/api/kernel/mjml_compiler.ts";

const isUnavailable = (reason: RegExp) => (error: Error) => {
  assert.equal((error as Error & { code: string }).code, "unavailable");
  assert.match(String(error.cause), reason);
  return true;
};

Deno.test("createMjmlCompiler() gives up after its timeout", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ signal }) =>
      new Promise<Response>((resolve) =>
        signal.addEventListener("abort", () => resolve(new Response()))
      ),
  );
  const functionsUrl = `http://127.0.0.1:${server.addr.port}`;
  const compile = createMjmlCompiler({ functionsUrl, key: "x", timeoutMs: 20 });
  await assert.rejects(compile("<mjml></mjml>"), isUnavailable(/TimeoutError/));
});

Deno.test("createMjmlCompiler() sends nothing without a key", async () => {
  const fetch = () => Promise.reject(new Error("sent"));
  const compile = createMjmlCompiler({ functionsUrl: "http://127.0.0.1", key: undefined, fetch });
  await assert.rejects(compile("<mjml></mjml>"), isUnavailable(/no secret key named "dispatch"/));
});
