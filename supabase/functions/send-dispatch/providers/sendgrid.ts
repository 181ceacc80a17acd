import { splitAddress } from "./split_address.ts";
import { type HttpProvider, joinUrl } from "./provider.ts";

export interface SendgridConfig {
  api_key: string;
  base_url?: string | undefined;
}

/** SendGrid: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const sendgrid: HttpProvider<SendgridConfig> = {
  takesIdempotencyKey: false,
  toRequest: (message, { api_key, base_url = "https://api.sendgrid.com" }) => ({
    url: joinUrl(base_url, "/v3/mail/send"),
    headers: { "authorization": `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [{
        to: [{ email: message.to }],
        custom_args: { send_id: message.sendId },
      }],
      from: splitAddress(message.from),
      ...(message.replyTo === null ? {} : { reply_to: splitAddress(message.replyTo) }),
      subject: message.subject,
      // Text first, as SendGrid asks for.
      content: [
        ...(message.text === null ? [] : [{ type: "text/plain", value: message.text }]),
        ...(message.html === null ? [] : [{ type: "text/html", value: message.html }]),
      ],
      headers: { ...message.headers, "Message-ID": message.messageId },
      tracking_settings: {
        click_tracking: { enable: false, enable_text: false },
        open_tracking: { enable: false },
        subscription_tracking: { enable: false },
      },
    }),
  }),
  // The id is in a header; its webhooks carry send_id.
  readId: () => null,
};
