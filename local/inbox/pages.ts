import { html } from "hono/html";
import type { MailDetails, MailSummary } from "./read_mail.ts";

type Html = ReturnType<typeof html>;

/** The style sheet of the pages. */
export const style = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText;
  font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; }
h1 { font-size: 1.25rem; margin: 0; flex: 1; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: 0.4rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
pre { background: #8881; overflow: auto; padding: 0.75rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
iframe { background: #fff; border: 1px solid #8884; height: 36rem; width: 100%; }
summary { cursor: pointer; padding: 0.5rem 0; }
nav a { margin-right: 1rem; }
@media (max-width: 40rem) {
  :root { font-size: 14px; }
  .from { display: none; }
}
`;

function page(title: string, body: Html): Html {
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title}</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/inbox/style.css">
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>
  `;
}

/** The page with all mails, newest first. */
export function listPage(mails: readonly MailSummary[], smtpPort: number): Html {
  const rows = mails.map((mail) =>
    html`
      <tr>
        <td><time datetime="${mail.received_at}">${formatTime(mail.received_at)}</time></td>
        <td class="from">${mail.from}</td>
        <td>${mail.rcpt_to.join(", ")}</td>
        <td><a href="/inbox/${mail.id}">${mail.subject || "(no subject)"}</a></td>
      </tr>
    `
  );
  return page(
    "Inbox",
    html`
      <header>
        <h1>Inbox</h1>
        <a href="/inbox">Reload</a>
        <form method="post" action="/inbox/delete"><button>Delete all</button></form>
      </header>
      <p>Email to 127.0.0.1 port ${smtpPort} arrives here and goes no further. The newest 500 emails are
        kept until the service stops.</p>
      ${rows.length === 0 ? html`<p>No emails yet.</p>` : html`
        <table>
          <thead>
            <tr>
              <th>Received</th>
              <th class="from">From</th>
              <th>To</th>
              <th>Subject</th>
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      `}
    `,
  );
}

/** The time of a list, which may wrap between day and time: `2026-11-29 21:29:54Z`. */
function formatTime(time: string): string {
  return `${time.slice(0, 19).replace("T", " ")}Z`;
}

/** The page of one mail: its HTML in a frame of its own, text, headers and attachments. */
export function mailPage(mail: MailDetails, withImages: boolean): Html {
  const query = withImages ? "?images=1" : "";
  return page(
    mail.subject || "(no subject)",
    html`
      <header><h1>${mail.subject || "(no subject)"}</h1><a href="/inbox">Inbox</a></header>
      <table>
        <tr>
          <th>From</th>
          <td>${mail.from}</td>
        </tr>
        <tr>
          <th>To</th>
          <td>${mail.to.join(", ")}</td>
        </tr>
        <tr>
          <th>Delivered to</th>
          <td>${mail.rcpt_to.join(", ")}</td>
        </tr>
        <tr>
          <th>Received</th>
          <td>${mail.received_at}</td>
        </tr>
        <tr>
          <th>Send</th>
          <td>${mail.send_id ?? "none"}</td>
        </tr>
      </table>
      <nav>
        <a href="/inbox/${mail.id}/source">Source</a>
        ${mail.html === null || withImages
          ? ""
          : html`<a href="/inbox/${mail.id}?images=1">Load images, as a reader would</a>`}
      </nav>
      ${mail.html === null ? html`<p>This email has no HTML.</p>` : html`
        <iframe
          title="HTML of the email" sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer" src="/inbox/${mail.id}/html${query}"></iframe>
      `}
      <details open>
        <summary>Text</summary>
        <pre>${mail.text ?? "None"}</pre>
      </details>
      <details open>
        <summary>Headers</summary>
        <pre>${mail.headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</pre>
      </details>
      ${mail.attachments.map(({ name, media_type, bytes }) =>
        html`<p>Attachment ${name || "without a name"}: ${media_type}, ${bytes} bytes</p>`
      )}
    `,
  );
}
