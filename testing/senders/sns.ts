import { sign } from "node:crypto";
import { createGuardedFetch } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import type { InboundDeps } from "../../supabase/functions/inbound/app.ts";
import {
  createSigningIdentity,
  createTestAuthority,
  type Identity,
} from "../receivers/certificates.ts";
import { loopback } from "../service/guarded_world.ts";
import { type ReceivedRequest, startReceiver } from "../receivers/receiver.ts";
import { respond } from "../receivers/receiver_behaviours.ts";

export const topicArn = "arn:aws:sns:us-east-1:123456789012:mail";
const host = "sns.us-east-1.amazonaws.com";
const certificatePath = "/SimpleNotificationService-d6d679a1d18e95c2f9ffcf11f4f9e198.pem";
export const certificateUrl = `https://${host}${certificatePath}`;

/** A message as SNS writes it, without its signature. */
export type SnsFields = Record<string, string>;

/** Stands for SNS: a real server with a real certificate for the host, on the loopback. */
export interface TestSns extends AsyncDisposable {
  /** Reaches it under the host's own name; a request for another host ends the test. */
  fetch: InboundDeps["fetch"];
  /** Requests that it received. */
  requests: readonly ReceivedRequest[];
  /** Responds to everything with this status from now on. */
  failWith(status: number): void;
  /** A message's body with its signature. */
  sign(fields: SnsFields, options?: { version?: string; identity?: Identity }): string;
}

const authority = await createTestAuthority();
// Made once for all tests of a file: two keys take half a second.
const serverIdentity = await authority.issue(host);
const signingIdentity = await createSigningIdentity();

/** Starts a stand-in for Amazon SNS. */
export async function startSns(
  { signer: own = signingIdentity }: { signer?: Identity } = {},
): Promise<TestSns> {
  const serve = (status: number) => (exchange: Parameters<ReturnType<typeof respond>>[0]) => {
    const isCertificate = exchange.request.path === certificatePath;
    return respond(status, { body: isCertificate ? own.cert : "<ok/>" })(exchange);
  };
  const receiver = await startReceiver({
    behaviour: serve(200),
    identity: serverIdentity,
  });
  const guarded = createGuardedFetch({
    allowed: loopback,
    ca: authority.cert,
    snippetBytes: 16 * 1024,
    resolve: (name) => {
      if (name !== host) throw new Error(`Cannot resolve "${name}": the test knows SNS alone`);
      return Promise.resolve(["127.0.0.1"]);
    },
  });
  return {
    requests: receiver.requests,
    failWith: (status) => receiver.use(serve(status)),
    // The service asks port 443, which a test may not listen on.
    fetch: {
      send(request) {
        const url = new URL(request.url);
        url.port = String(receiver.port);
        return guarded.send({ ...request, url: url.href });
      },
    },
    sign: (fields, { version = "2", identity = own } = {}) =>
      signMessage(fields, { version, identity }),
    async [Symbol.asyncDispose]() {
      await guarded.close();
      await receiver.close();
    },
  };
}

// In the order of AWS's documentation, by type of message.
const signed: Record<string, readonly string[]> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
  UnsubscribeConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
};

function signMessage(
  fields: SnsFields,
  { version, identity }: { version: string; identity: Identity },
): string {
  let text = "";
  for (const name of signed[fields.Type ?? ""] ?? []) {
    if (fields[name] !== undefined) text += `${name}\n${fields[name]}\n`;
  }
  const algorithm = version === "1" ? "RSA-SHA1" : "RSA-SHA256";
  const signature = sign(algorithm, new TextEncoder().encode(text), identity.key);
  return JSON.stringify({
    SigningCertURL: certificateUrl,
    ...fields,
    SignatureVersion: version,
    Signature: signature.toString("base64"),
  });
}

/** A notification of a bounce, as SES publishes it. */
export function notification(fields: SnsFields = {}): SnsFields {
  return {
    Type: "Notification",
    MessageId: crypto.randomUUID(),
    TopicArn: topicArn,
    Subject: "Amazon SES Email Event Notification",
    Message:
      '{"notificationType":"Bounce","bounce":{"feedbackId":"f1"},"mail":{"tags":{"user":"u1"}}}',
    Timestamp: new Date().toISOString(),
    ...fields,
  };
}

/** A request to confirm a subscription. */
export function subscription(fields: SnsFields = {}): SnsFields {
  const address = new URL(`https://${host}/?Action=ConfirmSubscription`);
  address.searchParams.set("TopicArn", topicArn);
  address.searchParams.set("Token", "2336412f37f");
  return {
    Type: "SubscriptionConfirmation",
    MessageId: crypto.randomUUID(),
    Token: "2336412f37f",
    TopicArn: topicArn,
    Message: "You have chosen to subscribe to the topic.",
    SubscribeURL: address.href,
    Timestamp: new Date().toISOString(),
    ...fields,
  };
}
