import { type Call, defineRoute } from "../../kernel/route.ts";
import { writeCsv } from "./csv.ts";
import { listSuppressions, type Suppression } from "./suppression_queries.ts";

const pageRows = 500;
const columns = ["email", "email_hash", "reason", "until", "created_at"] as const;
const mediaType = "text/csv";

export const exportSuppressions = defineRoute({
  operationId: "exportSuppressions",
  method: "GET",
  path: "/suppressions/export",
  tag: "Suppressions",
  summary: "Export suppressed addresses as CSV",
  description: 'Newest first. A cell that a spreadsheet would run as a formula begins with "\'".',
  scopes: ["suppressions:read"],
  leastRole: "viewer",
  status: 200,
  streams: [mediaType],
  handle({ workspaceId, readLater }) {
    const parts = writeLines(readPages(readLater, workspaceId));
    return Promise.resolve({ mediaType, fileName: "suppressions.csv", parts });
  },
});

async function* writeLines(pages: AsyncIterable<Suppression[]>): AsyncGenerator<string> {
  yield writeCsv([columns]);
  for await (const rows of pages) {
    if (rows.length > 0) yield writeCsv(rows.map((row) => columns.map((column) => row[column])));
  }
}

async function* readPages(
  readLater: Call["readLater"],
  workspaceId: string,
): AsyncGenerator<Suppression[]> {
  let after: string[] | undefined;
  for (;;) {
    const page = { workspaceId, limit: pageRows, after };
    const rows = (await readLater((tx) => listSuppressions(tx, page))).slice(0, pageRows);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.id];
  }
}
