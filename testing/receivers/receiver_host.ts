import { Buffer } from "node:buffer";
import { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.ts";
import * as makers from "./receiver_behaviours.ts";

/** A behaviour by name, for another process to make. */
export interface NamedBehaviour {
  maker: keyof typeof makers;
  args: unknown[];
}

export type RemoteReceiverOptions = Omit<ReceiverOptions, "behaviour"> & {
  behaviour: NamedBehaviour;
};

/** Requests that a receiver has seen so far, with bodies in base64. */
export interface ReceiverState {
  id: string;
  port: number;
  connections: number;
  openConnections: number;
  bytesWritten: number;
  requests: { method: string; path: string; headers: [string, string][]; body: string }[];
}

/** One thing to do with a receiver; each returns its state afterwards. */
export type HostCommand =
  | { do: "start"; options: RemoteReceiverOptions }
  | { do: "read" | "close"; id: string }
  | { do: "use"; id: string; behaviour: NamedBehaviour }
  | { do: "waitForRequests" | "waitForDisconnect"; id: string; count: number };

const receivers = new Map<string, Receiver>();

async function run(command: HostCommand): Promise<ReceiverState> {
  if (command.do === "start") {
    const id = crypto.randomUUID();
    const behaviour = make(command.options.behaviour);
    receivers.set(id, await startReceiver({ ...command.options, behaviour }));
    return describe(id);
  }
  const receiver = receivers.get(command.id)!;
  if (command.do === "use") receiver.use(make(command.behaviour));
  if (command.do === "waitForRequests") await receiver.waitForRequests(command.count);
  if (command.do === "waitForDisconnect") await receiver.waitForDisconnect(command.count);
  if (command.do === "close") await receiver.close();
  return describe(command.id);
}

function make({ maker, args }: NamedBehaviour) {
  return (makers[maker] as (...args: unknown[]) => ReturnType<typeof makers.hang>)(...args);
}

function describe(id: string): ReceiverState {
  const { port, connections, openConnections, bytesWritten, requests } = receivers.get(id)!;
  const seen = requests.map((request) => ({
    ...request,
    body: Buffer.from(request.body).toString("base64"),
  }));
  return { id, port, connections, openConnections, bytesWritten, requests: seen };
}

/** Takes commands over HTTP, writes its port to the output, and ends with its input. */
async function main(): Promise<void> {
  const onListen = ({ port }: Deno.NetAddr) => {
    Deno.stdout.writeSync(new TextEncoder().encode(`${port}\n`));
  };
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
    return Response.json(await run(await request.json()));
  });
  for await (const _ of Deno.stdin.readable);
  Deno.exit();
}

if (import.meta.main) await main();
