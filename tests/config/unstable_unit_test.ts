import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

/** Reads the signal of a request and responds. */
const server = `
  const server = Deno.serve({ port: 0, onListen() {} }, (request) => {
    return new Response(String(request.signal.aborted));
  });
  const response = await fetch("http://127.0.0.1:" + server.addr.port);
  console.log(await response.text());
  await server.shutdown();
`;

Deno.test("Deno prints no warning when a function reads the signal of a request", async () => {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", server],
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  assert.deepEqual([decoder.decode(stdout), decoder.decode(stderr)], ["false\n", ""]);
});
