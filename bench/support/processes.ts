import { fileURLToPath } from "node:url";
import type { SmtpServerOptions } from "./smtp_server.ts";

/** A script that runs as a process of its own and listens on a port. */
export interface ServingProcess extends AsyncDisposable {
  url: string;
}

/** Starts a script of this folder that prints its port. */
export async function startServing(script: string, options: object = {}): Promise<ServingProcess> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", path, JSON.stringify(options)],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return {
    url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

/** Receivers of webhooks: `/ok` responds at once, `/fail` with 500, `/hang` never. */
export function startReceiver(): Promise<ServingProcess> {
  return startServing("dispatch_receiver.ts");
}

/** An SMTP server that accepts every message. The port of its address is all that counts. */
export function startSmtpServer(options: SmtpServerOptions): Promise<ServingProcess> {
  return startServing("smtp_server.ts", options);
}

/** Runs a script of this folder to its end and returns the JSON that it prints. */
export async function runScript<Result>(script: string, options: object): Promise<Result> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", path, JSON.stringify(options)],
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot measure: "${script}" failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
