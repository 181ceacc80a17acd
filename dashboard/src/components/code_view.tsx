import { lazy, Suspense } from "react";
import { Skeleton } from "@mantine/core";

const CodePanel = lazy(() => import("./code_panel.tsx"));

export type Language = "json" | "bash" | "javascript" | "python";

interface CodeViewProps {
  code: string;
  language: Language;
  /** Says what it is to screen readers. */
  label: string;
}

/** Code with colours and a button to copy it; its highlighter is loaded when first needed. */
export function CodeView(props: CodeViewProps) {
  return (
    <Suspense fallback={<Skeleton h={120} />}>
      <CodePanel {...props} />
    </Suspense>
  );
}

export function JsonView({ value, label }: { value: unknown; label: string }) {
  return <CodeView code={JSON.stringify(value, null, 2)} language="json" label={label} />;
}
