import { Skeleton } from "@mantine/core";
import { useModule } from "./use_module.ts";

export type Language = "json" | "bash" | "javascript" | "python";

interface CodeViewProps {
  code: string;
  language: Language;
  /** Says what it is to screen readers. */
  label: string;
}

/** Code with colours and a button to copy it; its highlighter is loaded when first needed. */
export function CodeView(props: CodeViewProps) {
  const panel = useModule("code_panel", () => import("./code_panel.tsx"));
  return panel ? <panel.CodePanel {...props} /> : <Skeleton h={120} />;
}

export function JsonView({ value, label }: { value: unknown; label: string }) {
  return <CodeView code={JSON.stringify(value, null, 2)} language="json" label={label} />;
}
