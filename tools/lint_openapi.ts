import { createConfig, formatProblems, getTotals, lintFromString } from "@redocly/openapi-core";
import { createOpenApi } from "../supabase/functions/api/openapi/document.ts";

type Problems = Awaited<ReturnType<typeof lintFromString>>;

// These take no credential and no input: there is nothing to refuse.
const openPointers = ["health", "openapi.json"].map((name) =>
  `#/paths/~1api~1${name}/get/responses`
);

/** Checks the OpenAPI document with Redocly's recommended rules; a warning fails as well. */
export async function lintOpenApi(document: object): Promise<Problems> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    // The document names a licence once the repository has one.
    config: await createConfig({
      extends: ["recommended-strict"],
      rules: { "info-license": "off" },
    }),
  });
  return problems.filter(({ ruleId, location }) =>
    ruleId !== "operation-4xx-response" ||
    !openPointers.includes(location[0]?.pointer ?? "")
  );
}

async function main(): Promise<number> {
  const problems = await lintOpenApi(createOpenApi("https://project.supabase.co/functions/v1"));
  if (problems.length === 0) return 0;
  formatProblems(problems, { totals: getTotals(problems), version: "" });
  return 1;
}

if (import.meta.main) Deno.exit(await main());
