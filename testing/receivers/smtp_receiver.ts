import net from "node:net";
import tls from "node:tls";
import type { Identity } from "./certificates.ts";

/** Step of an SMTP conversation at which a server may do something else than usual. */
export type SmtpStep = "greeting" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "dot";

/**
 * Replies with this text instead of the usual one, or once a promise gives it. `close` ends the
 * connection without a reply, `hang` never replies, `drip` begins a reply and adds a line every
 * 20 ms, and `flood` sends bytes without end.
 */
export type SmtpBehaviour = Partial<
  Record<SmtpStep, string | "close" | "hang" | "drip" | "flood" | Promise<string>>
>;

/** A running SMTP server. */
export interface SmtpReceiver {
  port: number;
  /** Every message up to the final dot, with how it was sent. */
  messages: { source: string; isEncrypted: boolean; name: string | false }[];
  /** Connections accepted so far. */
  readonly connections: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Behaviour of the server. */
export interface SmtpReceiverOptions {
  behaviour?: SmtpBehaviour;
  identity: Identity;
  /** TLS from the first byte instead of STARTTLS. */
  isSecure?: boolean;
  /** Offers STARTTLS. @default true */
  offersTls?: boolean;
}

const usual: Record<SmtpStep, string> = {
  greeting: "220 mail.test ready",
  EHLO: "",
  STARTTLS: "220 go ahead",
  AUTH: "235 welcome",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
  dot: "250 queued as 1",
};

/** Starts an SMTP server on the loopback interface that does as told at each step. */
export async function startSmtpReceiver(options: SmtpReceiverOptions): Promise<SmtpReceiver> {
  const messages: SmtpReceiver["messages"] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const { isSecure = false } = options;
  const keepSocket = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
  };
  const converseIn = (socket: net.Socket, isGreeting: boolean) =>
    converse(socket, { options, messages, encrypt, isGreeting });
  const secureServer = tls.createServer({ ...options.identity }, (socket) => {
    keepSocket(socket);
    converseIn(socket, isSecure);
  });
  secureServer.on("tlsClientError", () => {});
  // Deno loses the first bytes of some connections that a TLSSocket takes over. A TLS server of
  // its own takes them here, through a pipe.
  const encrypt = (socket: net.Socket) => {
    const inner = net.connect(portOf(secureServer), "127.0.0.1");
    keepSocket(inner);
    socket.on("close", () => inner.destroy());
    inner.on("close", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  };
  const server = net.createServer((socket) => {
    connections++;
    keepSocket(socket);
    if (isSecure) encrypt(socket);
    else converseIn(socket, true);
  });
  await Promise.all(
    [server, secureServer].map((each) =>
      new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve))
    ),
  );
  return {
    port: portOf(server),
    messages,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        [server, secureServer].map((each) => new Promise((resolve) => each.close(resolve))),
      );
    },
  };
}

function portOf(server: net.Server): number {
  return (server.address() as net.AddressInfo).port;
}

interface Conversation {
  options: SmtpReceiverOptions;
  messages: SmtpReceiver["messages"];
  /** Continues on the connection with TLS. */
  encrypt: (socket: net.Socket) => void;
  isGreeting: boolean;
}

function drip(socket: net.Socket): void {
  const timer = setInterval(() => socket.write("250-wait\r\n"), 20);
  socket.on("close", () => clearInterval(timer));
}

function flood(socket: net.Socket): void {
  const bytes = "x".repeat(16 * 1024);
  const pour = () => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once("drain", pour);
  };
  pour();
}

function converse(socket: net.Socket, conversation: Conversation): void {
  const { options, messages } = conversation;
  const isEncrypted = socket instanceof tls.TLSSocket;
  let text = "";
  let isInData = false;

  /** Returns true if the usual reply was sent. */
  function reply(step: SmtpStep, fallback = usual[step]): boolean {
    const told = options.behaviour?.[step];
    if (told === "close") socket.destroy();
    else if (told === "drip") drip(socket);
    else if (told === "flood") flood(socket);
    else if (told instanceof Promise) void told.then((text) => socket.write(`${text}\r\n`));
    else if (told !== "hang") socket.write(`${told ?? fallback}\r\n`);
    return told === undefined;
  }

  function answer(line: string): void {
    const word = line.slice(0, 4).toUpperCase();
    const offersTls = !isEncrypted && options.offersTls !== false;
    if (word === "EHLO" || word === "HELO") {
      const tlsLine = offersTls ? "250-STARTTLS\r\n" : "";
      reply("EHLO", `250-mail.test\r\n${tlsLine}250-AUTH PLAIN\r\n250 8BITMIME`);
    } else if (word === "STAR" && !offersTls) socket.write("502 unknown command\r\n");
    else if (word === "STAR") {
      if (!reply("STARTTLS")) return;
      socket.removeAllListeners("data");
      conversation.encrypt(socket);
    } else if (word === "AUTH") reply("AUTH");
    else if (word === "MAIL") reply("MAIL");
    else if (word === "RCPT") reply("RCPT");
    else if (word === "DATA") isInData = reply("DATA");
    else if (word === "QUIT") socket.end("221 bye\r\n");
    else socket.write("250 ok\r\n");
  }

  function keep(source: string): void {
    isInData = false;
    const { servername: name = false } = socket as { servername?: string | false };
    messages.push({ source: `${source.replaceAll(/^\.\./gm, ".")}\r\n`, isEncrypted, name });
    reply("dot");
  }

  socket.on("error", () => {});
  socket.on("data", (chunk: Uint8Array) => {
    text += new TextDecoder().decode(chunk);
    for (;;) {
      const mark = isInData ? "\r\n.\r\n" : "\r\n";
      const end = text.indexOf(mark);
      if (end === -1) return;
      const part = text.slice(0, end);
      text = text.slice(end + mark.length);
      if (isInData) keep(part);
      else answer(part);
    }
  });
  if (conversation.isGreeting) reply("greeting");
}
