import type { GuardedFetch } from "../../_shared/outbound/guarded_fetch.ts";
import { handOverToInbox } from "./inbox.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import { type HandOver, handOverByHttp, type HandOverCall, type HttpProvider } from "./provider.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";
import { handOverBySmtp, type SmtpConfig, type SmtpOptions } from "./smtp.ts";

const httpProviders = { resend, postmark, sendgrid, mailgun, ses } as const;

/** Names of the providers. */
export type ProviderName = keyof typeof httpProviders | "smtp" | "inbox";

export interface HandOverOptions {
  http: GuardedFetch;
  smtp: SmtpOptions;
  /** Port of the local stack's inbox; undefined elsewhere. */
  inboxPort: number | undefined;
}

/** Hands a message to a provider. The configuration was checked when the sender was saved. */
export type HandOverTo = (
  provider: ProviderName,
  call: HandOverCall<unknown>,
) => Promise<HandOver>;

/** Creates the function that hands messages to every provider. It never rejects. */
export function createHandOver({ http, smtp, inboxPort }: HandOverOptions): HandOverTo {
  return (provider, call) => {
    if (provider === "inbox") return handOverToInbox(call, inboxPort);
    if (provider === "smtp") return handOverBySmtp(call as HandOverCall<SmtpConfig>, smtp);
    return handOverByHttp(httpProviders[provider] as HttpProvider<unknown>, http, call);
  };
}

/** Returns true if a provider sends one message for the same send twice. */
export function takesIdempotencyKey(provider: ProviderName): boolean {
  return provider !== "inbox" && provider !== "smtp" &&
    httpProviders[provider].takesIdempotencyKey;
}
