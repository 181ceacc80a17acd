import { Buffer } from "node:buffer";
import { createMessageLinks, type MessageLinks } from "./message_links.ts";
import { trackLinks } from "./track_links.ts";
import {
  type RenderedMessage,
  renderTemplate,
  type TemplateContents,
} from "../_shared/templates/render_template.ts";
import type { EmailMessage } from "./providers/provider.ts";
import { splitAddress } from "./providers/split_address.ts";
import type { ClaimedSend, SendStart } from "./send_queue.ts";

/** A message, and what the database keeps of it. */
export interface RenderedSend {
  message: EmailMessage;
  start: SendStart;
  /** False if the body leads neither to the unsubscription nor to the preferences. */
  hasOptOut: boolean;
}

export interface RenderOptions {
  /** Base URL of the function `links`. */
  linksUrl: string;
  now: Date;
}

/** A claimed message that can be rendered. */
export interface RenderableSend extends ClaimedSend {
  email: string;
}

/**
 * Renders a claimed message. The result depends on its arguments alone.
 *
 * @throws {RenderError} for a template that cannot be rendered
 */
export function renderSend(
  send: RenderableSend,
  contents: TemplateContents,
  { linksUrl, now }: RenderOptions,
): RenderedSend {
  const links = createMessageLinks({
    linksUrl,
    workspaceId: send.workspace_id,
    sendId: send.send_id,
    key: Buffer.from(send.link_key, "hex"),
  });
  const facts = { customer: send.customer ?? {}, workspace: send.workspace, now };
  const rendered = renderTemplate(contents, {
    ...facts,
    trigger: send.data,
    unsubscribe_url: links.unsubscribeUrl,
    preferences_url: links.preferencesUrl,
  }, send.is_strict ?? false);
  const tracked = rendered.html === null ? null : trackLinks(rendered.html, {
    links,
    tracksOpens: send.purpose === "message" && send.tracks_opens === true,
    tracksClicks: send.purpose === "message" && send.tracks_clicks === true,
  });
  const message = createMessage(send, {
    ...rendered,
    html: tracked?.html ?? null,
    unsubscribeUrl: links.unsubscribeUrl,
  });
  const start: SendStart = {
    workspace_id: send.workspace_id,
    sender_id: send.sender_id,
    send_id: send.send_id,
    claim: send.claim,
    email: send.email,
    template_version: send.template_version,
    message_id: message.messageId,
    facts,
    links: tracked?.links ?? [],
  };
  return { message, start, hasOptOut: hasOptOut(rendered, links) };
}

/** Looks at what readers see. Conditions of the template may have left the link out. */
function hasOptOut(
  { html, text }: RenderedMessage,
  { unsubscribeUrl, preferencesUrl }: MessageLinks,
): boolean {
  const shown = html ?? text ?? "";
  return shown.includes(unsubscribeUrl) || shown.includes(preferencesUrl);
}

function createMessage(
  send: RenderableSend,
  { subject, html, text, unsubscribeUrl }: RenderedMessage & { unsubscribeUrl: string },
): EmailMessage {
  const { from, reply_to } = send.sender;
  const domain = splitAddress(from).email.split("@").at(-1);
  return {
    sendId: send.send_id,
    messageId: `<${send.send_id}@${domain}>`,
    from,
    replyTo: reply_to,
    to: send.email,
    subject,
    html,
    text,
    headers: {
      "X-Signalpost-Send": send.send_id,
      // RFC 8058: mail programs unsubscribe by a POST to this address.
      ...(send.is_marketing && {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}
