import { useMemo } from "react";
import { useDraftState } from "../../api/use_draft.ts";
import { readObject } from "../../api/read_object.ts";
import type { JsonObject } from "../../api/types.ts";

/** Data that stands for `trigger` in the preview and in test messages. */
export interface SampleData {
  /** JSON as it was typed. */
  text: string;
  setText: (text: string) => void;
  /** The data; undefined if there is none, or if the text is not an object. */
  data: JsonObject | undefined;
  isInvalid: boolean;
}

/** The sample data of a template, which is never saved. The tab keeps it. */
export function useSampleData(templateId: string): SampleData {
  const [text, setText] = useDraftState(`sample:${templateId}`, "", { isAsked: false });
  const data = useMemo(() => readObject(text), [text]);
  return { text, setText, data, isInvalid: text.trim() !== "" && data === undefined };
}
