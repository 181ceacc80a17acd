import { Code } from "@mantine/core";
import { sortKeys } from "../format/sort_keys.ts";
import type { Language } from "./code_panel.tsx";
import { useModule } from "./use_module.ts";

export type { Language };

interface CodeViewProps {
  code: string;
  language: Language;
  /** Names the code for screen readers. */
  label: string;
}

/** Highlighted code with a copy button. The highlighter loads when first needed. */
export function CodeView(props: CodeViewProps) {
  const panel = useModule("code_panel", () => import("./code_panel.tsx"));
  return panel ? <panel.CodePanel {...props} /> : <RestingCode {...props} />;
}

/** The code without colours, until the highlighter is there. */
function RestingCode({ code, label }: CodeViewProps) {
  return <Code block role="region" aria-label={label} tabIndex={0} mah={420}>{code}</Code>;
}

/** Stored JSON, with sorted keys: the database does not keep their order. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return <CodeView code={JSON.stringify(sortKeys(value), null, 2)} language="json" label={label} />;
}
