import type { BodyFormat } from "./body_language.ts";

/** A piece of a body that the editor inserts. `#{…}` is a place that Tab goes to. */
export interface Block {
  label: string;
  description: string;
  code: Partial<Record<BodyFormat, string>>;
}

const greeting = 'Hello {{ customer.first_name | default: "#{there}" }},';

const condition = `{% if #{customer.attributes.plan} == "#{pro}" %}
  #{For them}
{% else %}
  #{For everyone else}
{% endif %}
`;

/** The blocks of the editor, in the order of the menu. */
export const blocks: readonly Block[] = [
  {
    label: "Whole mail",
    description: "A frame to start with",
    code: {
      html: `<!doctype html>
<html lang="#{en}">
<body style="margin: 0; padding: 24px; font-family: Arial, sans-serif; color: #1c1c28">
  <div style="max-width: 600px; margin: 0 auto">
    <h1 style="font-size: 24px">#{Title}</h1>
    <p>${greeting}</p>
    <p>#{Text}</p>
    <p style="font-size: 12px; color: #5c5c6b">
      You get this from {{ workspace.name }}.
      <a href="{{ unsubscribe_url }}">Unsubscribe</a>
    </p>
  </div>
</body>
</html>
`,
      mjml: `<mjml lang="#{en}">
  <mj-head>
    <mj-preview>#{Shown after the subject}</mj-preview>
    <mj-attributes>
      <mj-all font-family="Arial, sans-serif" color="#1c1c28" />
    </mj-attributes>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text font-size="24px">#{Title}</mj-text>
        <mj-text>${greeting}</mj-text>
        <mj-text>#{Text}</mj-text>
        <mj-text font-size="12px" color="#5c5c6b">
          You get this from {{ workspace.name }}.
          <a href="{{ unsubscribe_url }}">Unsubscribe</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`,
      text: `${greeting}

#{Text}

You get this from {{ workspace.name }}.
Unsubscribe: {{ unsubscribe_url }}
`,
    },
  },
  {
    label: "Greeting",
    description: "With a fallback for people without a first name",
    code: {
      html: `<p>${greeting}</p>\n`,
      mjml: `<mj-text>${greeting}</mj-text>\n`,
      text: `${greeting}\n`,
    },
  },
  {
    label: "Button",
    description: "A link that looks like a button",
    code: {
      html: `<p>
  <a href="#{https://example.com}"
    style="display: inline-block; padding: 12px 20px; border-radius: 6px; background: #4040a4; color: #ffffff; text-decoration: none">#{Open}</a>
</p>
`,
      mjml: `<mj-button href="#{https://example.com}" background-color="#4040a4" color="#ffffff">
  #{Open}
</mj-button>
`,
      text: "#{Open}: #{https://example.com}\n",
    },
  },
  {
    label: "Image",
    description: "With a text for people who cannot see it",
    code: {
      html: `<img src="#{https://example.com/image.png}" alt="#{What it shows}" width="600"
  style="display: block; max-width: 100%; height: auto">
`,
      mjml: `<mj-image src="#{https://example.com/image.png}" alt="#{What it shows}" />\n`,
    },
  },
  {
    label: "Two columns",
    description: "Side by side",
    code: {
      html: `<table role="presentation" width="100%" cellpadding="0" cellspacing="0">
  <tr>
    <td width="50%" valign="top" style="padding-right: 12px">#{Left}</td>
    <td width="50%" valign="top" style="padding-left: 12px">#{Right}</td>
  </tr>
</table>
`,
      mjml: `<mj-section>
  <mj-column>
    <mj-text>#{Left}</mj-text>
  </mj-column>
  <mj-column>
    <mj-text>#{Right}</mj-text>
  </mj-column>
</mj-section>
`,
    },
  },
  {
    label: "Line",
    description: "Between two parts",
    code: {
      html: '<hr style="border: 0; border-top: 1px solid #d8d8e2; margin: 24px 0">\n',
      mjml: '<mj-divider border-width="1px" border-color="#d8d8e2" />\n',
      text: "----\n",
    },
  },
  {
    label: "Condition",
    description: "For some customers only",
    code: {
      html: condition,
      mjml: `<mj-raw>{% if #{customer.attributes.plan} == "#{pro}" %}</mj-raw>
<mj-text>#{For them}</mj-text>
<mj-raw>{% endif %}</mj-raw>
`,
      text: condition,
    },
  },
  {
    label: "List of items",
    description: "Repeats a line for each item of the data",
    code: {
      html: `<ul>
  {% for item in trigger.#{items} %}
    <li>{{ item.#{name} }}</li>
  {% endfor %}
</ul>
`,
      mjml: `<mj-table>
  {% for item in trigger.#{items} %}
    <tr><td>{{ item.#{name} }}</td><td align="right">{{ item.#{price} }}</td></tr>
  {% endfor %}
</mj-table>
`,
      text: `{% for item in trigger.#{items} -%}
- {{ item.#{name} }}
{% endfor %}
`,
    },
  },
  {
    label: "Footer with unsubscribe link",
    description: "Marketing needs one",
    code: {
      html: `<p style="font-size: 12px; color: #5c5c6b">
  You get this from {{ workspace.name }}.
  <a href="{{ preferences_url }}">Choose what you get</a> or
  <a href="{{ unsubscribe_url }}">unsubscribe</a>.
</p>
`,
      mjml: `<mj-text font-size="12px" color="#5c5c6b">
  You get this from {{ workspace.name }}.
  <a href="{{ preferences_url }}">Choose what you get</a> or
  <a href="{{ unsubscribe_url }}">unsubscribe</a>.
</mj-text>
`,
      text: "Unsubscribe: {{ unsubscribe_url }}\nChoose what you get: {{ preferences_url }}\n",
    },
  },
];

/** Returns the block of a whole mail with its example texts. */
export function makeFrame(format: BodyFormat): string {
  return (blocks[0]!.code[format] ?? "").replaceAll(/#\{([^}]*)\}/g, "$1");
}
