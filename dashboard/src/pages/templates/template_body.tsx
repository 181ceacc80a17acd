import { Textarea } from "@mantine/core";
import { useMemo } from "react";
import { collectPaths } from "../../conditions/collect_paths.ts";
import { useAttributePaths } from "../../conditions/use_suggestions.ts";
import { useModule } from "../../ui/use_module.ts";
import type { BodyEditorProps } from "./editor/body_editor.tsx";
import type { SampleData } from "./use_sample_data.ts";

interface TemplateBodyProps extends Omit<BodyEditorProps, "seenPaths"> {
  sample: SampleData;
}

/** The field of the body. The editor loads with the first one; until then it is plain text. */
export function TemplateBody({ sample, ...props }: TemplateBodyProps) {
  const editor = useModule("body_editor", () => import("./editor/body_editor.tsx"));
  const attributes = useAttributePaths();
  const seenPaths = useMemo(() => [
    ...attributes.map(({ path }) => `customer.attributes.${path}`),
    ...collectPaths([sample.data ?? {}]).map(({ path }) => `trigger.${path}`),
  ], [attributes, sample.data]);
  return editor ? <editor.BodyEditor {...props} seenPaths={seenPaths} /> : (
    <Textarea
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
