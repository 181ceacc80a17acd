/** Texts of the reasons for which a step did nothing. */
const skipTexts: Readonly<Record<string, string>> = {
  late: "Skipped: its turn came too late",
  unsubscribed: "Skipped: the address is not subscribed",
  suppressed: "Skipped: the address is suppressed",
  no_address: "Skipped: the customer has no address",
};

interface OutcomeNames {
  /** Kind of the step. */
  kind?: string | undefined;
  /** Names the steps that the outcome refers to. */
  nameStep?: (step: string) => string;
}

/** Describes what came of a step: the way it went, or why it did nothing. */
export function describeOutcome(
  outcome: Readonly<Record<string, unknown>>,
  { kind, nameStep = (step) => step }: OutcomeNames = {},
): string {
  const { way, to, skipped, error, version } = outcome;
  if (way === "move") return `Moved to ${to} of version ${version}, published meanwhile`;
  const target = typeof to === "string" ? nameStep(to) : "the end";
  if (way === "replay") return `Replayed from ${target}`;
  const skip = typeof skipped === "string"
    ? skipTexts[skipped] ?? `Skipped: ${skipped.replaceAll("_", " ")}`
    : "";
  const failure = typeof error === "string" ? `Failed: ${error.replaceAll("_", " ")}` : "";
  return [skip, failure, describeWay(way, `to ${target}`, kind)].filter(Boolean).join(". ");
}

function describeWay(way: unknown, target: string, kind: string | undefined): string {
  if (way === "timeout") return `The event did not come, ${target}`;
  if (way === "missing") return `The date is missing, ${target}`;
  if (way === "else") return `No condition was met, ${target}`;
  if (typeof way === "string" && /^\d+$/.test(way)) {
    const number = Number(way) + 1;
    return kind === "branch"
      ? `Condition ${number} was met, ${target}`
      : `Way ${number}, ${target}`;
  }
  return way === undefined ? "" : `Continued ${target}`;
}
