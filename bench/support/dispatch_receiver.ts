// Receivers in a process of their own: they respond at once, fail or hang, by the path's first part.
// They read HTTP themselves: a server library takes 25 µs of processor time per request, which the
// service on the same machine would lack.
import { print } from "./table.ts";

/** An event and when it arrived, in milliseconds since the epoch. */
export type Arrival = [eventId: string, at: number];

const mark = '"event_id": "';
const uuidLength = 36;
const firstBytes = 16 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ok = encoder.encode("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
const failed = encoder.encode("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n");

let arrivals: Arrival[] = [];

if (import.meta.main) await runReceiver();

async function runReceiver(): Promise<void> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  print(String(listener.addr.port));
  for await (const socket of listener) {
    socket.setNoDelay(true);
    serve(socket).catch(() => {}).finally(() => socket.close());
  }
}

/** Answers the requests of one connection, one after the other, until it is closed. */
async function serve(socket: Deno.TcpConn): Promise<void> {
  let buffer = new Uint8Array(firstBytes);
  let size = 0;
  while (true) {
    const read = await socket.read(buffer.subarray(size));
    if (read === null) return;
    size += read;
    const request = readRequest(decoder.decode(buffer.subarray(0, size)), size);
    if (request === undefined) {
      if (size === buffer.byteLength) buffer = enlarge(buffer);
      continue;
    }
    size = 0;
    const response = respond(request);
    if (response === undefined) return await new Promise(() => {});
    await writeAll(socket, response);
  }
}

interface ReceivedRequest {
  path: string;
  body: string;
}

/** Returns the request once all of its bytes are there. */
function readRequest(text: string, size: number): ReceivedRequest | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  // The head is ASCII, so its characters are its bytes.
  if (size < headEnd + 4 + length) return undefined;
  return { path: head.split(" ", 2)[1] ?? "", body: text.slice(headEnd + 4) };
}

/** Returns the response to a request, with all its bytes; undefined for one that hangs. */
function respond({ path, body }: ReceivedRequest): Uint8Array | undefined {
  if (path === "/arrivals") return takeArrivals();
  if (path.startsWith("/hang")) return undefined;
  if (path.startsWith("/fail")) return failed;
  arrivals.push([readEventId(body), performance.timeOrigin + performance.now()]);
  return ok;
}

function takeArrivals(): Uint8Array {
  const text = JSON.stringify(arrivals);
  arrivals = [];
  const head =
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}`;
  return encoder.encode(`${head}\r\n\r\n${text}`);
}

function readEventId(body: string): string {
  const start = body.indexOf(mark) + mark.length;
  return body.slice(start, start + uuidLength);
}

function enlarge(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * buffer.byteLength);
  larger.set(buffer);
  return larger;
}

async function writeAll(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.byteLength;) sent += await socket.write(bytes.subarray(sent));
}
