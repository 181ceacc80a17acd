import "@mantine/code-highlight/styles.css";
import {
  CodeHighlight,
  CodeHighlightAdapterProvider,
  createHighlightJsAdapter,
} from "@mantine/code-highlight";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";

hljs.registerLanguage("bash", bash);
hljs.registerLanguage("javascript", javascript);
hljs.registerLanguage("json", json);
hljs.registerLanguage("python", python);

const adapter = createHighlightJsAdapter(hljs);

export type Language = "json" | "bash" | "javascript" | "python";

interface CodePanelProps {
  code: string;
  language: Language;
  label: string;
}

/** Highlighted code. The highlighter escapes it, so code is never parsed as markup. */
export function CodePanel({ code, language, label }: CodePanelProps) {
  return (
    <CodeHighlightAdapterProvider adapter={adapter}>
      <CodeHighlight
        code={code}
        language={language}
        radius="md"
        background="var(--code-background)"
        withBorder
        withExpandButton={code.length > 6000}
        defaultExpanded={code.length <= 6000}
        maxCollapsedHeight={420}
        role="region"
        aria-label={label}
      />
    </CodeHighlightAdapterProvider>
  );
}
