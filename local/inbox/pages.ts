import { html } from "hono/html";
import type { MailDetails, MailSummary } from "./read_mail.ts";

type Html = ReturnType<typeof html>;

/** The style sheet of the pages, in the colors of the dashboard. */
export const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --back: light-dark(#fff, #14161e); --panel: light-dark(#fff, #1b1d27);
  --border: light-dark(#dee2e6, #343847); --hover: light-dark(#f6f7f9, #262936);
  --text: light-dark(#1b1d27, #d6d8e1); --quiet: light-dark(#5b6171, #9ba0b0);
  --link: light-dark(#4040a4, #a5a5ef);
  background: var(--back); color: var(--text); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1.25rem; }
a { color: var(--link); }
h1 { font-size: 1.5rem; letter-spacing: -0.015em; line-height: 1.3; margin: 0; flex: 1;
  overflow-wrap: anywhere; }
h2, summary { font-size: 0.9rem; font-weight: 600; margin: 0; }
header { align-items: center; display: flex; flex-wrap: wrap; gap: 0.5rem; }
.note { color: var(--quiet); font-size: 0.9rem; margin: 0.25rem 0 1.5rem; }
.back { display: inline-block; font-size: 0.9rem; margin-bottom: 0.5rem; text-decoration: none; }
.button { background: var(--panel); border: 1px solid var(--border); border-radius: 8px;
  color: var(--text); cursor: pointer; display: inline-block; font: inherit; font-size: 0.9rem;
  padding: 0.3rem 0.8rem; text-decoration: none; }
.button:hover, .mails a:hover { background: var(--hover); }
.panel { background: var(--panel); border: 1px solid var(--border); border-radius: 12px;
  margin: 0 0 1rem; overflow: hidden; }
.panel > :is(p, dl, pre, summary, .bar) { margin: 0; padding: 0.75rem 1rem; }
.panel > summary { cursor: pointer; }
.panel > pre { border-top: 1px solid var(--border); }
.bar { align-items: center; border-bottom: 1px solid var(--border); display: flex;
  flex-wrap: wrap; gap: 0.5rem; justify-content: space-between; }
.mails { list-style: none; padding: 0; }
.mails li + li { border-top: 1px solid var(--border); }
.mails a { color: inherit; display: grid; gap: 0 1rem; grid-template-columns: 1fr auto;
  padding: 0.65rem 1rem; text-decoration: none; }
.mails :is(strong, .people) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mails strong { font-weight: 600; }
.people { color: var(--quiet); font-size: 0.9rem; grid-column: 1 / -1; }
time { color: var(--quiet); font-size: 0.9rem; font-variant-numeric: tabular-nums; }
dl { display: grid; font-size: 0.9rem; gap: 0.25rem 1rem; grid-template-columns: max-content 1fr; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
pre { font: 0.85rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
iframe { background: #fff; border: 0; display: block; height: 36rem; width: 100%; }
@media (max-width: 40rem) {
  .mails a { grid-template-columns: minmax(0, 1fr); }
  .mails time { order: 1; }
}
.empty { color: var(--quiet); padding: 4rem 1rem; text-align: center; }
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
      <li>
        <a href="/inbox/${mail.id}">
          <strong dir="auto">${mail.subject || "(no subject)"}</strong>
          ${showTime(mail.received_at)}
          <span class="people">To ${mail.rcpt_to.join(", ")} · from ${mail.from}</span>
        </a>
      </li>
    `
  );
  return page(
    "Inbox",
    html`
      <header>
        <h1>Inbox</h1>
        <a class="button" href="/inbox">Reload</a>
        ${rows.length === 0 ? "" : html`
          <form method="post" action="/inbox/delete">
            <button class="button">Delete all</button>
          </form>
        `}
      </header>
      <p class="note">
        Email to 127.0.0.1 port ${smtpPort} arrives here and goes no further. The newest 500 emails
        are kept until the service stops.
      </p>
      ${rows.length === 0
        ? html`<p class="panel empty">No emails yet</p>`
        : html`<ul class="panel mails">${rows}</ul>`}
    `,
  );
}

/** The time of a mail to the second, in UTC: `2026-11-29 21:29:54 UTC`. */
function showTime(time: string): Html {
  const text = `${time.slice(0, 19).replace("T", " ")} UTC`;
  return html`<time datetime="${time}">${text}</time>`;
}

/** The page of one mail: its HTML in a frame of its own, text, headers and attachments. */
export function mailPage(mail: MailDetails, withImages: boolean): Html {
  return page(
    mail.subject || "(no subject)",
    html`
      <a class="back" href="/inbox">← Inbox</a>
      <header>
        <h1 dir="auto">${mail.subject || "(no subject)"}</h1>
        <a class="button" href="/inbox/${mail.id}/source">View source</a>
      </header>
      <p class="note">${showTime(mail.received_at)}</p>
      <section class="panel">
        <dl>
          <dt>From</dt>
          <dd>${mail.from}</dd>
          <dt>To</dt>
          <dd>${mail.to.join(", ")}</dd>
          <dt>Delivered to</dt>
          <dd>${mail.rcpt_to.join(", ")}</dd>
          ${mail.send_id === null ? "" : html`
            <dt>Send ID</dt>
            <dd><code>${mail.send_id}</code></dd>
          `}
        </dl>
      </section>
      ${htmlPanel(mail, withImages)}
      <details class="panel" ${mail.html === null
        ? html`
          open
        `
        : ""}>
        <summary>Text</summary>
        <pre>${mail.text ?? "This email has no text."}</pre>
      </details>
      <details class="panel">
        <summary>Headers</summary>
        <pre>${mail.headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</pre>
      </details>
      ${mail.attachments.map(({ name, media_type, bytes }) =>
        html`<p>Attachment ${name || "without a name"}: ${media_type}, ${bytes} bytes</p>`
      )}
    `,
  );
}

function htmlPanel({ id, html: body }: MailDetails, withImages: boolean): Html {
  if (body === null) {
    return html`
      <section class="panel">
        <p>This email has no HTML.</p>
      </section>
    `;
  }
  return html`
    <section class="panel">
      <div class="bar">
        <h2>HTML</h2>
        ${withImages ? "" : html`<a class="button" href="/inbox/${id}?images=1">Load images</a>`}
      </div>
      <iframe
        title="HTML of the email" sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer" src="/inbox/${id}/html${withImages
          ? "?images=1"
          : ""}"></iframe>
    </section>
  `;
}
