import { type HttpProvider, joinUrl, readJsonText } from "./provider.ts";

export interface PostmarkConfig {
  /** Token of a server. */
  api_key: string;
  /** @default the stream for transactional messages */
  message_stream?: string | undefined;
  base_url?: string | undefined;
}

// The recipient bounced or complained before, so Postmark sends nothing to it.
const inactiveRecipient = "406";

/** Postmark: https://postmarkapp.com/developer/api/email-api */
export const postmark: HttpProvider<PostmarkConfig> = {
  takesIdempotencyKey: false,
  toRequest: (message, { api_key, message_stream, base_url = "https://api.postmarkapp.com" }) => ({
    url: joinUrl(base_url, "/email"),
    headers: {
      "accept": "application/json",
      "content-type": "application/json",
      "x-postmark-server-token": api_key,
    },
    body: JSON.stringify({
      From: message.from,
      To: message.to,
      Subject: message.subject,
      ...(message.html === null ? {} : { HtmlBody: message.html }),
      ...(message.text === null ? {} : { TextBody: message.text }),
      ...(message.replyTo === null ? {} : { ReplyTo: message.replyTo }),
      ...(message_stream === undefined ? {} : { MessageStream: message_stream }),
      Headers: [
        ...Object.entries(message.headers).map(([Name, Value]) => ({ Name, Value })),
        { Name: "Message-ID", Value: message.messageId },
        // Otherwise Postmark makes a Message-ID of its own.
        { Name: "X-PM-KeepID", Value: "true" },
      ],
      Metadata: { send_id: message.sendId },
      TrackOpens: false,
      TrackLinks: "None",
    }),
  }),
  readId: (response) => readJsonText(response, "MessageID"),
  readRefusal(_statusCode, response) {
    return readJsonText(response, "ErrorCode") === inactiveRecipient
      ? { outcome: "failed", reason: "recipient_suppressed" }
      : undefined;
  },
};
