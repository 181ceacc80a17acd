import { describeEvent } from "./describe_question.ts";
import type { CountsResult, Result } from "./pictures.ts";
import { type CountsQuestion, listEvents, type Question } from "./question.ts";

/** Returns the calls of a question: one for each event that is compared. */
export function listCalls(question: Question): Question["body"][] {
  return question.kind === "counts"
    ? listEvents(question).map((event) => ({ ...question.body, event }))
    : [question.body];
}

/** Joins the responses to the calls of a question. */
export function joinResults(question: Question, results: readonly Result[]): Result {
  const [first] = results;
  if (first === undefined) throw new Error("Cannot join the results: there are none");
  return question.kind === "counts" && results.length > 1
    ? joinCounts(question, results as CountsResult[])
    : first;
}

/** One series for each event. One that did not happen has zeros, but no average. */
function joinCounts(question: CountsQuestion, results: readonly CountsResult[]): CountsResult {
  const isEmpty = results.every(({ series }) => series.length === 0);
  const nothing = question.body.measure === "average" ? null : 0;
  return {
    ...results[0]!,
    is_exact: results.every(({ is_exact }) => is_exact),
    sampled_share: Math.min(...results.map(({ sampled_share }) => sampled_share)),
    names: listEvents(question).map(describeEvent),
    series: isEmpty
      ? []
      : results.map(({ series, starts }) =>
        series[0] ?? { kind: "all", value: null, total: 0, counts: starts.map(() => nothing) }
      ),
  };
}
