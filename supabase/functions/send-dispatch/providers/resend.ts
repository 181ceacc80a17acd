import { type HttpProvider, joinUrl, keyTaken, readJsonText } from "./provider.ts";

export interface ResendConfig {
  api_key: string;
  base_url?: string | undefined;
}

/** Resend: https://resend.com/docs/api-reference/emails/send-email */
export const resend: HttpProvider<ResendConfig> = {
  takesIdempotencyKey: true,
  toRequest: (message, { api_key, base_url = "https://api.resend.com" }) => ({
    url: joinUrl(base_url, "/emails"),
    headers: {
      "authorization": `Bearer ${api_key}`,
      "content-type": "application/json",
      "idempotency-key": message.sendId,
    },
    body: JSON.stringify({
      from: message.from,
      to: [message.to],
      subject: message.subject,
      ...(message.html === null ? {} : { html: message.html }),
      ...(message.text === null ? {} : { text: message.text }),
      ...(message.replyTo === null ? {} : { reply_to: message.replyTo }),
      headers: { ...message.headers, "Message-ID": message.messageId },
      tags: [{ name: "send_id", value: message.sendId }],
    }),
  }),
  readId: (response) => readJsonText(response, "id"),
  readRefusal(statusCode, response) {
    if (statusCode !== 409) return undefined;
    const name = readJsonText(response, "name");
    // An earlier request with this key, whose outcome we do not know, had other contents.
    if (name === "invalid_idempotent_request") return { outcome: "unknown", reason: keyTaken };
    // It is still being worked on.
    return { outcome: "retry", reason: "in_progress" };
  },
};
