import { createHmac } from "node:crypto";

/** The webhook signing key of the test's Mailgun. */
export const mailgunKey = "key-1d7ae94b0b1d9f3c1d7ae94b0b1d9f3c";

export const mailgunToken = "e0b5477167110d68991efc6b9f89f0a11066af27834600e123";

/** The signature in a body, as Mailgun's documentation tells. */
export function signMailgun(
  { at, secret = mailgunKey, token = mailgunToken }: { at: Date; secret?: string; token?: string },
): { timestamp: string; token: string; signature: string } {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", secret).update(timestamp + token).digest("hex");
  return { timestamp, token, signature };
}
