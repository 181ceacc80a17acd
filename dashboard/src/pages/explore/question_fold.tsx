import { useEffect } from "react";
import { useDisclosure } from "@mantine/hooks";
import { Fold } from "../../ui/fold.tsx";
import { useRangeName } from "../../ui/range_picker.tsx";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { describeQuestion } from "./describe_question.ts";
import { QuestionForm } from "./question_form.tsx";
import { readQuestion } from "./question.ts";

interface QuestionFoldProps {
  /** The time range of an address without one. */
  range: string;
  /** The first question is on its way. */
  isWaiting: boolean;
}

/** The question, of which a narrow screen shows one line, so that the answer is in sight. */
export function QuestionFold({ range, isWaiting }: QuestionFoldProps) {
  const { filters, setFilters } = useFilters();
  const rangeName = useRangeName(range);
  const question = readQuestion(filters, useRange(range));
  const isComplete = question !== undefined || isWaiting;
  const [isOpen, { toggle, open }] = useDisclosure(!isComplete);
  // Another kind may need more events.
  useEffect(() => {
    if (!isComplete) open();
  }, [isComplete]);
  return (
    <Fold
      label={question ? describeQuestion(question, rangeName) : "New question"}
      button={{ justify: "space-between", rightSection: isOpen ? "Done" : "Edit" }}
      until="lg"
      {...{ isOpen, toggle }}
    >
      <QuestionForm address={filters} onChange={setFilters} />
    </Fold>
  );
}
