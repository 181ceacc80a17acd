import { invalidInput } from "../../../_shared/errors/errors.ts";
import {
  importResult,
  maxImported,
  newSuppression,
  suppressionImport,
} from "../../contract/suppressions.ts";
import { readCsv } from "../../contract/read_csv.ts";
import { defineRoute } from "../../kernel/route.ts";
import { addSuppressions, type NewSuppression } from "./suppression_queries.ts";

const maxRejected = 100;

export const importSuppressions = defineRoute({
  operationId: "importSuppressions",
  method: "POST",
  path: "/suppressions/import",
  tag: "Suppressions",
  summary: "Suppress the addresses of a CSV file",
  scopes: ["suppressions:write"],
  leastRole: "admin",
  description: "Send the file itself as `text/csv`, or its text in JSON.",
  body: suppressionImport,
  textBody: { mediaType: "text/csv", field: "csv" },
  status: 200,
  response: importResult,
  action: "suppression.import",
  async handle({ tx, workspaceId, body, audit }) {
    const { entries, rejected } = readLines(body.csv);
    const added = await addSuppressions(tx, { workspaceId, entries });
    await audit(workspaceId, { added, rejected: rejected.length });
    return {
      added,
      unchanged: entries.length - added,
      rejected: rejected.slice(0, maxRejected),
      rejected_count: rejected.length,
    };
  },
});

interface Lines {
  entries: NewSuppression[];
  rejected: { line: number; message: string }[];
}

function readLines(csv: string): Lines {
  const [head, ...rows] = readCsv(csv);
  const names = head?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const at = names.indexOf("email");
  if (at === -1 || names.lastIndexOf("email") !== at) {
    const number = at === -1 ? "a" : "only one";
    const message = `must have ${number} column "email" in its first line`;
    throw invalidInput([{ field: "csv", message }]);
  }
  if (rows.length > maxImported) {
    throw invalidInput([{ field: "csv", message: `must have at most ${maxImported} lines` }]);
  }
  const reasonAt = names.indexOf("reason");
  const byEmail = new Map<string, NewSuppression>();
  const rejected: Lines["rejected"] = [];
  for (const { line, fields } of rows) {
    const reason = fields[reasonAt]?.trim() || undefined;
    const read = newSuppression.safeParse({ email: fields[at]?.trim() ?? "", reason });
    if (read.success) {
      const { email, reason = "import" } = read.data;
      byEmail.set(email.toLowerCase(), { email, reason, source: "import" });
    } else {
      const [issue] = read.error.issues;
      rejected.push({ line, message: `${issue?.path.join(".")} ${issue?.message}` });
    }
  }
  return { entries: [...byEmail.values()], rejected };
}
