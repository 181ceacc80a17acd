import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Behaviour } from "./receiver.ts";

const mebibyte = 1024 * 1024;
const reason = "Unknown";

/** Responds with a status, and keeps the connection. */
export function respond(
  status: number,
  { headers = [], body = "" }: { headers?: [string, string][]; body?: string | Uint8Array } = {},
): Behaviour {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const isBodiless = status === 204 || status === 304;
  const length: [string, string][] = isBodiless ? [] : [["Content-Length", String(bytes.length)]];
  const head = createHead(status, [...headers, ...length]);
  // In one piece: two writes would wait for each other's acknowledgement.
  const whole = Buffer.concat([Buffer.from(head, "latin1"), isBodiless ? new Uint8Array() : bytes]);
  return ({ socket }) => void socket.write(whole);
}

/** Fails a number of times, then behaves in the other way. */
export function failTimes(
  count: number,
  status: number,
  next: Behaviour = respond(200),
): Behaviour {
  const fail = respond(status);
  return (exchange) => exchange.number <= count ? fail(exchange) : next(exchange);
}

/** Responds only when as many requests wait as are wanted at once. */
export function respondTogether(count: number): Behaviour {
  const waiting: (() => void)[] = [];
  const respondOnce = respond(200);
  return (exchange) => {
    waiting.push(() => respondOnce(exchange));
    if (waiting.length === count) { for (const release of waiting.splice(0)) release(); }
  };
}

/** Reads the request and never responds. */
export function hang(): Behaviour {
  return () => {};
}

/** Sends headers, then the body byte by byte, forever. */
export function drip(intervalMs = 1_000): Behaviour {
  return ({ socket }) => {
    socket.write(createHead(200, [["Content-Length", String(mebibyte)]]));
    const timer = setInterval(() => socket.write("x"), intervalMs);
    socket.on("close", () => clearInterval(timer));
  };
}

/** Sends an endless body as fast as it is taken. */
export function pourEndlessly(): Behaviour {
  const chunk = "x".repeat(16 * 1024);
  return async ({ socket }) => {
    socket.write(createHead(200, [["Transfer-Encoding", "chunked"]]));
    while (!socket.destroyed) {
      if (!socket.write(`4000\r\n${chunk}\r\n`)) await drained(socket);
    }
  };
}

/** Sends a small body that would inflate to a large one. */
export function sendBomb(inflatedBytes = 50 * mebibyte): Behaviour {
  const body = gzipSync(new Uint8Array(inflatedBytes).fill(97));
  return respond(200, { headers: [["Content-Encoding", "gzip"]], body });
}

/** Breaks the connection in the middle of the response. */
export function resetInResponse(status = 200): Behaviour {
  return ({ socket }) => {
    const head = createHead(status, [["Content-Length", "100"]]);
    // At once, the reset would overtake the bytes on their way.
    socket.write(`${head}half an answ`, () => setTimeout(() => socket.resetAndDestroy(), 20));
  };
}

/** Reads the whole request and breaks the connection: nobody knows whether it counted. */
export function resetAfterRequest(): Behaviour {
  return ({ socket }) => void socket.resetAndDestroy();
}

/** Reads the whole request and closes the connection politely, without a response. */
export function closeAfterRequest(): Behaviour {
  return ({ socket }) => void socket.end();
}

/** Ends the connection before the promised length. */
export function endInResponse(): Behaviour {
  return ({ socket }) => {
    socket.end(`${createHead(200, [["Content-Length", "100"]])}half an answ`);
  };
}

/** Sends the request on to another place, the metadata address of clouds unless told otherwise. */
export function redirect(
  status: number,
  location = "http://169.254.169.254/latest/meta-data/",
): Behaviour {
  return respond(status, { headers: [["Location", location]] });
}

/** Asks for patience. */
export function askToWait(status: 429 | 502 | 503 | 504, retryAfter: string): Behaviour {
  return respond(status, { headers: [["Retry-After", retryAfter]] });
}

/** Promises two lengths at once, which is how requests are smuggled. */
export function promiseTwoLengths(): Behaviour {
  return ({ socket }) => {
    const head = createHead(200, [["Content-Length", "2"], ["Content-Length", "4"]]);
    socket.write(`${head}okok`);
  };
}

/** Sends a chunk whose length is not a number. */
export function breakChunks(): Behaviour {
  return ({ socket }) => {
    socket.write(`${createHead(200, [["Transfer-Encoding", "chunked"]])}zz\r\nbroken\r\n`);
  };
}

/** Sends the given text, which need not be HTTP. */
export function sendRaw(text: string): Behaviour {
  return ({ socket }) => void socket.write(text);
}

/** Sends interim responses before the real one. */
export function respondAfterInterim(status: number): Behaviour {
  const interim = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
  const final = createHead(status, [["Content-Length", "2"]]);
  return sendRaw(`${interim}${final}ok`);
}

function createHead(status: number, headers: [string, string][]): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n`;
}

async function drained(socket: Socket): Promise<void> {
  const done = new AbortController();
  try {
    const { signal } = done;
    await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]);
  } finally {
    done.abort();
  }
}
