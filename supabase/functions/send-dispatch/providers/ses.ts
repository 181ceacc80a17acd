import { AwsV4Signer } from "aws4fetch";
import { type HttpProvider, joinUrl, readJsonText } from "./provider.ts";

export interface SesConfig {
  access_key_id: string;
  secret_access_key: string;
  region: string;
  configuration_set?: string | undefined;
  base_url?: string | undefined;
}

// SES writes these itself.
const ownHeaders = new Set(["message-id", "from", "to", "subject", "reply-to", "date"]);

/** Amazon SES, API v2: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
export const ses: HttpProvider<SesConfig> = {
  takesIdempotencyKey: false,
  async toRequest(message, config) {
    const { region, base_url = `https://email.${region}.amazonaws.com` } = config;
    const part = (Data: string) => ({ Data, Charset: "UTF-8" });
    const body = JSON.stringify({
      FromEmailAddress: message.from,
      Destination: { ToAddresses: [message.to] },
      ...(message.replyTo === null ? {} : { ReplyToAddresses: [message.replyTo] }),
      Content: {
        Simple: {
          Subject: part(message.subject),
          Body: {
            ...(message.html === null ? {} : { Html: part(message.html) }),
            ...(message.text === null ? {} : { Text: part(message.text) }),
          },
          Headers: Object.entries(message.headers)
            .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
            .map(([Name, Value]) => ({ Name, Value })),
        },
      },
      EmailTags: [{ Name: "send_id", Value: message.sendId }],
      ...(config.configuration_set === undefined
        ? {}
        : { ConfigurationSetName: config.configuration_set }),
    });
    const url = joinUrl(base_url, "/v2/email/outbound-emails");
    const signer = new AwsV4Signer({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body,
      accessKeyId: config.access_key_id,
      secretAccessKey: config.secret_access_key,
      service: "ses",
      region,
    });
    const { headers } = await signer.sign();
    return { url, headers: Object.fromEntries(new Headers(headers).entries()), body };
  },
  readId: (response) => readJsonText(response, "MessageId"),
};
