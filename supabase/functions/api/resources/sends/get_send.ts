import { RenderError } from "../../../_shared/templates/liquid.ts";
import {
  type RenderedMessage,
  renderTemplate,
} from "../../../_shared/templates/render_template.ts";
import { params } from "../../contract/fields.ts";
import { send } from "../../contract/sends.ts";
import { requireFound } from "../../kernel/require_found.ts";
import { defineRoute } from "../../kernel/route.ts";
import { findContents, findSend, type SendContents } from "./send_queries.ts";

export const getSend = defineRoute({
  operationId: "getSend",
  method: "GET",
  path: "/sends/{id}",
  tag: "Sends",
  summary: "Get a send with its rendered content and each attempt",
  description:
    "The content is rendered again from the version and the data that the message was sent with.",
  scopes: ["sends:read"],
  leastRole: "viewer",
  params,
  entity: "Send",
  status: 200,
  response: send,
  async handle({ tx, workspaceId, params }) {
    const key = { workspaceId, sendId: params.id };
    const [found, contents] = await Promise.all([findSend(tx, key), findContents(tx, key)]);
    return { ...requireFound(found, "Send"), ...renderAgain(contents) };
  },
});

type Rendered = { [Part in "subject" | "html" | "text"]: RenderedMessage[Part] | null };

const nothing: Rendered = { subject: null, html: null, text: null };
// Only the recipient gets the real links.
const sampleUrl = "https://example.com/";

function renderAgain(contents: SendContents | undefined): Rendered {
  if (contents === undefined) return nothing;
  const { facts, data, strict } = contents;
  const read = (name: string) => facts[name] as Record<string, unknown> | null ?? {};
  try {
    const { subject, html, text } = renderTemplate(contents, {
      customer: read("customer"),
      trigger: data,
      workspace: read("workspace"),
      unsubscribe_url: `${sampleUrl}unsubscribe`,
      preferences_url: `${sampleUrl}preferences`,
      now: new Date(`${facts.now}`),
    }, strict);
    return { subject, html, text };
  } catch (error) {
    // That is why it was not sent: the reason of the send says so.
    if (error instanceof RenderError) return nothing;
    throw error;
  }
}
