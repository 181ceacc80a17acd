import type { PageLanguage } from "./page_texts.ts";
import type { PageView, TopicState } from "./page_view.ts";

/** Style sheet of every page. */
export const pageStyle = `
:root { color-scheme: light dark; --page: #f5f6f8; --card: #fff; --text: #1a1d23; --quiet: #59616d;
  --line: #e1e4e9; --field: #c4cad3; --accent: #1a4fb4; --button: #1a4fb4; --pressed: #163f92;
  --tint: #eef3fc; --shadow: 0 1px 2px #1018280a, 0 8px 24px #1018280f;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
@media (prefers-color-scheme: dark) {
  :root { --page: #111317; --card: #1a1d22; --text: #eceef1; --quiet: #a3abb7; --line: #2d3239;
    --field: #4b525d; --accent: #8ab0f7; --button: #2f62c4; --pressed: #3b70d6; --tint: #1f2a3e;
    --shadow: none }
}
body { margin: 0; padding: clamp(1rem, 9vh, 6rem) 1rem 2rem; background: var(--page);
  color: var(--text); -webkit-text-size-adjust: 100% }
main { box-sizing: border-box; max-width: 30rem; margin: 0 auto; padding: 2rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
  box-shadow: var(--shadow); overflow-wrap: anywhere }
main > :last-child { margin-bottom: 0 }
.workspace { margin: 0 0 1.5rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line);
  font-weight: 600 }
h1 { margin: 0; font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -.015em;
  text-wrap: balance }
p { margin: .5rem 0 0; color: var(--quiet); text-wrap: pretty }
p.workspace { color: inherit }
a { color: var(--accent); text-underline-offset: .2em }
form { margin: 1.5rem 0 0 }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0 }
label { display: flex; gap: .75rem; margin-top: .5rem; padding: .75rem 1rem;
  border: 1px solid var(--line); border-radius: .625rem; cursor: pointer }
label:hover { border-color: var(--field) }
label:has(:checked) { border-color: var(--accent); background: var(--tint) }
input { width: 1.25rem; height: 1.25rem; flex: none; margin: .15rem 0 0; accent-color: var(--accent);
  cursor: inherit }
label span { font-weight: 500 }
small { display: block; color: var(--quiet); font-size: .875rem; font-weight: 400 }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem }
button { font: inherit; font-weight: 600; padding: .625rem 1.25rem; min-height: 2.75rem;
  border: 1px solid var(--field); border-radius: .625rem; background: none; color: inherit;
  cursor: pointer }
button:hover { background: var(--tint) }
button.main { background: var(--button); border-color: var(--button); color: #fff }
button.main:hover { background: var(--pressed); border-color: var(--pressed) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.more { margin-top: 1.25rem }
[role=status] { margin-top: 1rem; padding: .75rem 1rem; border-radius: .625rem;
  background: var(--tint); color: inherit; font-weight: 500 }
@media (max-width: 30rem) {
  main { padding: 1.5rem 1.25rem }
  button { flex: 1 1 100% }
}
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
    ? `<p class="more"><a href="../p/${view.preferences_token}">${
      escapeHtml(labels.preferences)
    }</a></p>`
    : "";
  return renderDocument(view, {
    title: `${title} – ${workspace}`,
    main: `<p class="workspace">${escapeHtml(workspace)}</p>
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
