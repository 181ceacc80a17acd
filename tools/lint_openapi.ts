import { createConfig, formatProblems, getTotals, lintFromString } from "@redocly/openapi-core";
import { createOpenApi } from "../supabase/functions/api/openapi/document.ts";

type Problems = Awaited<ReturnType<typeof lintFromString>>;

/** Checks the OpenAPI document with Redocly's recommended rules; a warning fails as well. */
export async function lintOpenApi(document: object): Promise<Problems> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config: await createConfig({ extends: ["recommended-strict"] }),
  });
  // Reading the document itself is open to everybody: there is nothing to refuse.
  return problems.filter(({ ruleId, location }) =>
    ruleId !== "operation-4xx-response" ||
    location[0]?.pointer !== "#/paths/~1api~1openapi.json/get/responses"
  );
}

async function main(): Promise<number> {
  const problems = await lintOpenApi(createOpenApi("https://project.supabase.co/functions/v1"));
  if (problems.length === 0) return 0;
  formatProblems(problems, { totals: getTotals(problems), version: "" });
  return 1;
}

if (import.meta.main) Deno.exit(await main());
