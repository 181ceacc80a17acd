import type { TemplateContents } from "./render_template.ts";

const button =
  "display:inline-block;padding:12px 20px;border-radius:6px;background:#1f4fd8;color:#ffffff;" +
  "font-weight:600;text-decoration:none";
const page = "margin:0;padding:24px 12px;background:#f3f4f6";
const card =
  "max-width:560px;margin:0 auto;padding:32px;border-radius:8px;background:#ffffff;color:#1f2937;" +
  "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere";

/**
 * Contents of a mail of the service itself, which has no template: an alert or an invitation. The
 * data of the send has `subject` and `text`. If the mail asks for something, it also has
 * `action: { before, label, url, after }`, which the HTML shows with a button instead of the text.
 */
export const notice: TemplateContents = {
  subject: "{{ trigger.subject }}",
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{ trigger.subject }}</title>
</head>
<body style="${page}">
<div style="${card}">
{% if trigger.action %}
<p style="margin:0 0 24px">{{ trigger.action.before | newline_to_br }}</p>
<p style="margin:0 0 24px"><a href="{{ trigger.action.url }}" style="${button}">{{ trigger.action.label }}</a></p>
<p style="margin:0">{{ trigger.action.after | newline_to_br }}</p>
{% else %}
<p style="margin:0">{{ trigger.text | strip | newline_to_br }}</p>
{% endif %}
</div>
</body>
</html>
`,
  text: "{{ trigger.text }}",
};
