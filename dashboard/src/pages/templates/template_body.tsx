import { Textarea } from "@mantine/core";
import { useMemo, useRef } from "react";
import { collectPaths } from "../../conditions/collect_paths.ts";
import { useAttributePaths } from "../../conditions/use_suggestions.ts";
import { useModule } from "../../ui/use_module.ts";
import type { BodyEditorProps } from "./editor/body_editor.tsx";
import type { SampleData } from "./use_sample_data.ts";

interface TemplateBodyProps extends Omit<BodyEditorProps, "seenPaths" | "caret"> {
  sample: SampleData;
}

/**
 * The field of the body. The editor loads with the first one; until then it is plain text. Typing
 * continues in the editor when it replaces the plain field.
 */
export function TemplateBody({ sample, ...props }: TemplateBodyProps) {
  const editor = useModule("body_editor", () => import("./editor/body_editor.tsx"));
  const attributes = useAttributePaths();
  const seenPaths = useMemo(() => [
    ...attributes.map(({ path }) => `customer.attributes.${path}`),
    ...collectPaths([sample.data ?? {}]).map(({ path }) => `trigger.${path}`),
  ], [attributes, sample.data]);
  const plain = useRef<HTMLTextAreaElement>(null);
  if (editor) {
    return <editor.BodyEditor {...props} seenPaths={seenPaths} caret={caretOf(plain.current)} />;
  }
  return (
    <Textarea
      ref={plain}
      label="Body"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      readOnly={props.isReadOnly}
      error={props.error}
      rows={18}
      classNames={{ input: "mono" }}
    />
  );
}

/** Returns where the next letter goes; undefined for a field that does not have the focus. */
function caretOf(field: HTMLTextAreaElement | null): number | undefined {
  return field !== null && field === document.activeElement ? field.selectionEnd : undefined;
}
