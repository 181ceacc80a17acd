import type { View } from "../../api/types.ts";
import { type ListQuery, useApiList } from "../../api/use_api.ts";
import { useZone } from "../../format/use_zone.ts";
import { nameRange } from "../../ui/range_picker.tsx";
import { resolveRange } from "../../url/range.ts";
import { describeQuestion } from "./describe_question.ts";
import { readQuestion, usualRange } from "./question.ts";

/** As many as a page of the api can have. */
const most = 200;

/** The saved questions of the workspace, newest first. */
export function useSavedQuestions(): ListQuery<View> {
  return useApiList("GET /views", { query: { list: "explore", limit: most } });
}

/** Describes a question in one line, with its time range. */
export function useQuestionText(address: View["filters"]): string {
  const zone = useZone();
  const question = readQuestion(address, resolveRange(address, usualRange));
  const range = nameRange(address, { zone, fallback: usualRange });
  return question ? describeQuestion(question, range) : `Incomplete question, ${range}`;
}
