import type { PageLanguage } from "./page_texts.ts";
import type { PageView, TopicState } from "./page_view.ts";

/** Style sheet of every page. */
export const pageStyle = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1c2025; --quiet: #5b636d;
  --line: #dfe2e6; --accent: #1a4fb4; font: 1rem/1.5 system-ui, sans-serif }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --card: #1d2125; --text: #e9ebee; --quiet: #a4acb6; --line: #383e45;
    --accent: #7aa5f5 }
}
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text) }
main { box-sizing: border-box; max-width: 32rem; margin: 0 auto; padding: 2rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
  overflow-wrap: anywhere }
main > :first-child { margin-top: 0 }
main > :last-child { margin-bottom: 0 }
main > p:first-child { color: var(--quiet); font-weight: 600 }
h1 { font-size: 1.5rem; line-height: 1.25 }
a { color: var(--accent) }
form { margin: 1.5rem 0 0 }
fieldset { border: 0; border-top: 1px solid var(--line); margin: 0 0 1.5rem; padding: 0 }
label { display: flex; gap: .75rem; padding: .75rem 0; border-bottom: 1px solid var(--line);
  cursor: pointer }
input { width: 1.25rem; height: 1.25rem; flex: none; margin: .15rem 0 0; accent-color: var(--accent) }
small { display: block; color: var(--quiet) }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem }
button { font: inherit; padding: .625rem 1.25rem; min-height: 2.75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: none; color: inherit; cursor: pointer }
button.main { background: #1a4fb4; border-color: #1a4fb4; color: #fff }
[role=status] { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
`;

/** Renders a page as HTML. Forms post to the URL of the page. */
export function renderPage(view: PageView): string {
  const { workspace, title, text, notice, labels, kind } = view;
  const isDone = kind === "unsubscribe" && notice !== null;
  const submit = (name: string, value: string) =>
    `<button class="main" name="${name}" value="${value}">${escapeHtml(labels.submit)}</button>`;
  const form = kind === "unsubscribe"
    ? `<form method="post"><div class="buttons">${submit("confirm", "unsubscribe")}</div></form>`
    : `<form method="post">${renderTopics(view)}<div class="buttons">${submit("confirm", "save")}
<button name="all" value="unsubscribe">${escapeHtml(labels.all)}</button></div></form>`;
  const more = kind === "unsubscribe"
    ? `<p><a href="../p/${view.preferences_token}">${escapeHtml(labels.preferences)}</a></p>`
    : "";
  return renderDocument(view, {
    title: `${title} – ${workspace}`,
    main: `<p>${escapeHtml(workspace)}</p>
<h1>${escapeHtml(title)}</h1>
${notice === null ? "" : `<p role="status">${escapeHtml(notice)}</p>`}
${isDone ? "" : `<p>${escapeHtml(text)}</p>\n${form}`}
${more}`,
  });
}

/** Renders the page for a link that is malformed, forged or too old. */
export function renderGonePage(language: PageLanguage): string {
  const { gone, goneHint } = language.texts;
  const main = `<h1>${escapeHtml(gone)}</h1>\n<p>${escapeHtml(goneHint)}</p>`;
  return renderDocument(language, { title: gone, main });
}

function renderTopics({ topics, title }: PageView): string {
  const rows = topics.map(({ id, name, description, subscribed }: TopicState) =>
    `<input type="hidden" name="shown" value="${escapeHtml(id)}">
<label><input type="checkbox" name="topic" value="${escapeHtml(id)}"${subscribed ? " checked" : ""}>
<span>${escapeHtml(name)}${
      description === null ? "" : `<small>${escapeHtml(description)}</small>`
    }</span></label>`
  );
  return `<fieldset aria-label="${escapeHtml(title)}">${rows.join("\n")}</fieldset>`;
}

function renderDocument(
  { lang, dir }: Pick<PageLanguage, "lang" | "dir">,
  { title, main }: { title: string; main: string },
): string {
  return `<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body><main>
${main}
</main></body>
</html>
`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!);
}
