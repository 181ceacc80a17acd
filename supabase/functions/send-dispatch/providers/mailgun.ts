import { type HttpProvider, joinUrl, readJsonText } from "./provider.ts";

export interface MailgunConfig {
  api_key: string;
  domain: string;
  /** `https://api.eu.mailgun.net` in the EU. */
  base_url?: string | undefined;
}

/** Mailgun: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
export const mailgun: HttpProvider<MailgunConfig> = {
  takesIdempotencyKey: false,
  toRequest(message, { api_key, domain, base_url = "https://api.mailgun.net" }) {
    const form = new URLSearchParams({
      "from": message.from,
      "to": message.to,
      "subject": message.subject,
      ...(message.html === null ? {} : { html: message.html }),
      ...(message.text === null ? {} : { text: message.text }),
      ...(message.replyTo === null ? {} : { "h:Reply-To": message.replyTo }),
      "h:Message-Id": message.messageId,
      "v:send_id": message.sendId,
      "o:tracking": "no",
    });
    for (const [name, value] of Object.entries(message.headers)) form.set(`h:${name}`, value);
    return {
      url: joinUrl(base_url, `/v3/${encodeURIComponent(domain)}/messages`),
      headers: {
        "authorization": `Basic ${btoa(`api:${api_key}`)}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: form.toString(),
    };
  },
  readId: (response) => readJsonText(response, "id"),
};
