import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** Received requests, counted by request and by message. */
export interface Received {
  requests: number;
  /** Signatures that the published library of Standard Webhooks accepts. */
  validStandard: number;
  /** Signatures in `X-Service-Signature` that the code below accepts. */
  validService: number;
  /** Ids of messages whose first attempt was failed on purpose. */
  failed: string[];
  messages: Map<string, ReceivedMessage>;
}

export interface ReceivedMessage {
  attempts: number;
  body: string;
  /** True if every attempt sent the same bytes. */
  isSame: boolean;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received;
  /** Must be set before anything is sent: what is not signed with it is refused. */
  secret: string;
}

/** Of so many messages, one is failed on purpose. */
const failEvery = 100;

/** Starts a receiver as a user of the service would write it: verifies, counts, and responds. */
export function startReceiver(): Receiver {
  const received: Received = {
    requests: 0,
    validStandard: 0,
    validService: 0,
    failed: [],
    messages: new Map(),
  };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = await request.text();
      received.requests++;
      const isStandard = isStandardSignature(receiver.secret, request.headers, body);
      const isService = isServiceSignature(receiver.secret, request.headers, body);
      received.validStandard += Number(isStandard);
      received.validService += Number(isService);
      if (!isStandard || !isService) return new Response("Signature is wrong", { status: 401 });
      return respond(received, request.headers.get("webhook-id") ?? "", body);
    },
  );
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.addr.port}/webhooks`,
    received,
    secret: "",
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return receiver;
}

function isStandardSignature(secret: string, headers: Headers, body: string): boolean {
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers));
    return true;
  } catch {
    return false;
  }
}

function isServiceSignature(secret: string, headers: Headers, body: string): boolean {
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  const sent = headers.get("x-service-signature") ?? "";
  return sent.length === expected.length &&
    timingSafeEqual(Buffer.from(sent), Buffer.from(expected));
}

function respond(received: Received, id: string, body: string): Response {
  const known = received.messages.get(id);
  received.messages.set(id, {
    attempts: (known?.attempts ?? 0) + 1,
    body,
    isSame: known === undefined || (known.isSame && known.body === body),
  });
  if (known !== undefined || received.messages.size % failEvery !== 0) {
    return new Response(null, { status: 204 });
  }
  received.failed.push(id);
  return new Response("Failed on purpose", { status: 500 });
}
