// @ts-types="@types/cli-progress"
import progress from "cli-progress";
import postgres from "postgres";
import { formatJourneys } from "./format_journeys.ts";
import { setUpJourneys, startCampaign, watchJourneys } from "./journeys.ts";
import { checkKeysRemembered, readBusiest, readOutcome } from "./outcome.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { readRecording } from "./recording.ts";
import { replay, type Tally } from "./replay.ts";
import { formatReport } from "./report.ts";
import { findStack, type RunningStack } from "./running_stack.ts";
import { planLanes } from "./plan_lanes.ts";
import { formatSegments, setUpSegments } from "./segments.ts";
import { formatWebhookReport } from "./webhook_report.ts";
import { setUpDestination, watchDeliveries } from "./webhooks.ts";

const help = `Replays recorded shop traffic through POST /track of the running stack.

Usage: deno task demo [flags]

  --data-dir <path>   of the running stack (DATA_DIR, default .data)
  --help              show this text
`;

const connections = 16;
const timelineEntries = 20;

if (import.meta.main) {
  Deno.exitCode = await main(Deno.args).catch(complain);
}

async function main(args: string[]): Promise<number> {
  if (args.includes("--help")) {
    say(help);
    return 0;
  }
  const stack = await findStack({ args, env: Deno.env.toObject() });
  const sql = postgres(stack.db_url, { max: 1, fetch_types: false });
  await using receiver = startReceiver();
  try {
    return await showService({ stack, sql, receiver });
  } finally {
    await sql.end();
  }
}

async function showService(
  { stack, sql, receiver }: { stack: RunningStack; sql: postgres.Sql; receiver: Receiver },
): Promise<number> {
  await checkKeysRemembered(sql, stack.workspace_id);
  const destination = await setUpDestination(stack, receiver);
  await setUpJourneys(stack);
  const tally = await replayRecording(stack);
  const outcome = await readOutcome(sql, stack.workspace_id);
  const busiest = await readBusiest(sql, stack.workspace_id, timelineEntries);
  say(formatReport({ tally, outcome, busiest }));
  say(`\n${formatSegments(await setUpSegments(stack))}`);
  await startCampaign(stack);
  say("\nWaiting for the journeys and the campaign");
  say(formatJourneys(await watchJourneys(stack)));
  say(`Their mails are in the inbox: ${stack.base_url}/inbox`);
  say("\nWaiting for deliveries and their retries");
  say(formatWebhookReport(await watchDeliveries(stack, destination, receiver.received)));
  return tally.refusals.length === 0 ? 0 : 1;
}

async function replayRecording(stack: RunningStack): Promise<Tally> {
  const visits = await readRecording();
  const lanes = planLanes(visits, connections);
  say(`Replaying ${visits.length} recorded events to ${stack.base_url}/functions/v1/track`);
  const bar = new progress.SingleBar({
    format: "  {bar} {percentage}% {value} of {total} requests, {duration_formatted}",
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 2000,
  }, progress.Presets.shades_classic);
  bar.start(lanes.flat().reduce((sum, { isRepeated }) => sum + (isRepeated ? 2 : 1), 0), 0);
  try {
    return await replay(stack, lanes, (requests) => bar.increment(requests));
  } finally {
    bar.stop();
  }
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

function complain(error: unknown): number {
  const text = error instanceof Error ? error.message : String(error);
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
  return 1;
}
