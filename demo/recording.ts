import { parse } from "csv-parse/sync";

/** One row of the recording: what a visitor did on one page. */
export interface Visit {
  /** Position in the file, from 0. */
  row: number;
  userId: string;
  sessionId: string;
  event: string;
  /** RFC 3339, UTC. */
  occurredAt: string;
  platform: string;
  acquisitionChannel: string;
  userCohort: string;
  userLifecycle: string;
}

const recordingFile = new URL("data/ecom-events.csv.gz", import.meta.url);

/** The recorded shop traffic, ordered by time; visits of one second keep the file's order. */
export async function readRecording(): Promise<Visit[]> {
  using file = await Deno.open(recordingFile);
  const text = await new Response(
    file.readable.pipeThrough(new DecompressionStream("gzip")),
  ).text();
  const rows = parse<Record<string, string>>(text, { columns: true });
  return rows.map(toVisit).sort((a, b) =>
    a.occurredAt < b.occurredAt ? -1 : a.occurredAt > b.occurredAt ? 1 : a.row - b.row
  );
}

function toVisit(columns: Record<string, string>, row: number): Visit {
  const read = (name: string): string => {
    const value = columns[name];
    if (!value) throw new Error(`Cannot read the recording: row ${row} has no "${name}"`);
    return value;
  };
  return {
    row,
    userId: read("user_id"),
    sessionId: read("session_id"),
    event: read("event"),
    occurredAt: `${read("timestamp").replace(" ", "T")}Z`,
    platform: read("platform"),
    acquisitionChannel: read("acquisition_channel"),
    userCohort: read("user_cohort"),
    userLifecycle: read("user_lifecycle"),
  };
}
