import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../browser/chromium.ts";
import { findDebianPostgres } from "../postgres/debian_postgres.ts";
import { findHostedDeno } from "../service/hosted_deno.ts";
import { findOnPath } from "./programs.ts";

/** A program that some test files need and that does not come with the project. */
interface Need {
  name: string;
  /** Ending of the names of files that need it. */
  suffix: string;
  isThere(): boolean;
  /** True for a program without a package: leaving its tests out is allowed, even in CI. */
  isOptional?: boolean;
}

/** A program that is missing, and the test files that are left out without it. */
export interface MissingNeed {
  name: string;
  files: string[];
  isOptional: boolean;
}

const needs: readonly Need[] = [
  { name: "Chromium", suffix: "_browser_test.ts", isThere: () => findChromium() !== null },
  {
    name: "Debian's postgresql-15 with postgresql-15-cron",
    suffix: "_debian_test.ts",
    isThere: () => findDebianPostgres() !== null,
  },
  {
    name: "Deno 2.1.4 from npm",
    suffix: "_hosted_test.ts",
    isThere: () => findHostedDeno() !== null,
  },
  {
    name: "PgBouncer",
    suffix: "_pgbouncer_test.ts",
    isThere: () => findOnPath("pgbouncer") !== null,
  },
  {
    name: "PgDog",
    suffix: "_pgdog_test.ts",
    isThere: () => findOnPath("pgdog") !== null,
    isOptional: true,
  },
  { name: "Python", suffix: "_python_test.ts", isThere: () => findOnPath("python3") !== null },
  { name: "Go", suffix: "_go_test.ts", isThere: () => findOnPath("go") !== null },
  {
    name: "Java with Maven",
    suffix: "_java_test.ts",
    isThere: () => findOnPath("java") !== null && findOnPath("mvn") !== null,
  },
  { name: "Rust's Cargo", suffix: "_rust_test.ts", isThere: () => findOnPath("cargo") !== null },
];

const tests = fileURLToPath(new URL("../../tests", import.meta.url));

/** Finds the programs that test files need and this machine lacks. */
export function findMissingNeeds(): MissingNeed[] {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).sort();
  return needs.filter((need) => !need.isThere()).map(({ name, suffix, isOptional = false }) => ({
    name,
    isOptional,
    files: files.filter((path) => path.endsWith(suffix)).map((path) => join("tests", path)),
  })).filter((missing) => missing.files.length > 0);
}
