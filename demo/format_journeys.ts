import type { Automation, CampaignFigures, JourneyFigures, StepFigures } from "./journeys.ts";
import { count } from "./text.ts";

const columns = ["came", "waiting", "goal", "sent", "skipped"] as const;
const width = 9;

/** The journeys with a table per step, and the campaign, as text for a terminal. */
export function formatJourneys({ journeys, campaign }: Automation): string {
  return [...journeys.flatMap(formatJourney), formatCampaign(campaign)].join("\n");
}

function formatJourney({ name, entered, reached_goal, exited, steps }: JourneyFigures): string[] {
  const ends = Object.entries(exited).map(([reason, runs]) => `${count(runs)} ${reason}`);
  const goal = reached_goal > 0 ? [`${count(reached_goal)} reached the goal`] : [];
  return [
    `Journey "${name}": ${[`${count(entered)} entered`, ...ends, ...goal].join(", ")}`,
    `  ${"step".padEnd(12)}${columns.map((title) => title.padStart(width)).join("")}`,
    ...steps.map(formatStep),
  ];
}

function formatStep(
  { step, kind, came, waiting, reached_goal, sent, skipped }: StepFigures,
): string {
  const skips = Object.values(skipped).reduce((total, one) => total + one, 0);
  const isSend = kind === "send";
  const cells = [
    count(came),
    count(waiting),
    count(reached_goal),
    isSend ? count(sent) : "",
    isSend ? count(skips) : "",
  ];
  const reasons = Object.entries(skipped).map(([reason, n]) => `${count(n)} ${reason}`);
  const row = `  ${step.padEnd(12)}${cells.map((cell) => cell.padStart(width)).join("")}`;
  return [row.trimEnd(), ...reasons].join("  ");
}

function formatCampaign({ name, recipients, sent, failed, skipped }: CampaignFigures): string {
  const skips = Object.entries(skipped).map(([reason, n]) => `, ${count(n)} ${reason}`).join("");
  const numbers = `${count(recipients ?? 0)} recipients, ${count(sent)} sent, ${
    count(failed)
  } failed`;
  return `Campaign "${name}": ${numbers}${skips}`;
}
