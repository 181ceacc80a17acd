import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { applyMigrations, readMigrations } from "../../local/migrate.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { startTestStack } from "../support/stack.ts";
import { makeProject, runSupabase } from "../support/supabase_cli.ts";

Deno.test("supabase db push applies every migration to a plain Postgres", async (t) => {
  await using project = await makeProject();
  await using db = await createEmptyDatabase();
  const remote = `--remote=${db.url}?sslmode=disable`;
  const pushed = await runSupabase(project.path, ["db", "push", remote, "--yes"]);
  assert.equal(pushed.code, 0, pushed.text);

  await t.step("and the local stack goes on from there", async () => {
    assert.deepEqual(await applyMigrations(db.url), []);
    await using stack = await startTestStack({ args: ["--database-url", db.url] });
    const response = await fetch(`${stack.info.base_url}/auth/v1/health`, {
      headers: { apikey: stack.info.publishable_key },
    });
    await response.body?.cancel();
    assert.equal(response.status, 200);
  });
});

Deno.test("supabase db push finds nothing to do after the local stack's migrations", async () => {
  await using project = await makeProject();
  await using db = await createEmptyDatabase();
  assert.equal((await applyMigrations(db.url)).length, readMigrations().length);
  const remote = `--remote=${db.url}?sslmode=disable`;
  const pushed = await runSupabase(project.path, ["db", "push", remote, "--yes"]);
  assert.equal(pushed.code, 0, pushed.text);
  assert.doesNotMatch(pushed.text, /Applying migration/);
});

Deno.test("supabase functions deploy uploads every function whole", async (t) => {
  await using project = await makeProject();
  await using platform = startPlatform();
  const profile = join(project.path, "profile.yml");
  writeFileSync(profile, platform.profile);
  const deployed = await runSupabase(
    project.path,
    ["functions", "deploy", "--use-api", `--remote=${"a".repeat(20)}`, "--profile", profile],
    { SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}`, SUPABASE_YES: "true" },
  );
  assert.equal(deployed.code, 0, deployed.text);
  assert.deepEqual([...platform.uploads.keys()].sort(), functionNames(project.path));

  for (const [name, upload] of platform.uploads) {
    await t.step(`${name} checks its callers itself and misses no file`, async () => {
      assert.equal(upload.metadata.verify_jwt, false);
      assert.equal(upload.metadata.import_map_path, "deno.json");
      assert.deepEqual(await findMissingModules(upload), []);
    });
  }
});

interface Upload {
  metadata: { verify_jwt: boolean; import_map_path: string; entrypoint_path: string };
  files: Map<string, string>;
}

interface Platform extends AsyncDisposable {
  /** Points the CLI here. */
  profile: string;
  uploads: Map<string, Upload>;
}

/** The part of the platform's management API that takes a deployment. */
function startPlatform(): Platform {
  const uploads = new Map<string, Upload>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (r) => {
    if (!new URL(r.url).pathname.endsWith("/functions/deploy")) return Response.json([]);
    const form = await r.formData();
    const metadata = JSON.parse(String(form.get("metadata")));
    const files = new Map<string, string>();
    for (const file of form.getAll("file")) {
      if (file instanceof File) files.set(file.name, await file.text());
    }
    uploads.set(metadata.name, { metadata, files });
    const answer = { id: metadata.name, slug: metadata.name, name: metadata.name };
    return Response.json({ ...answer, status: "ACTIVE", version: 1 }, { status: 201 });
  });
  const base = `http://127.0.0.1:${server.addr.port}`;
  const addresses = ["api_url", "dashboard_url", "docs_url"].map((key) => `${key}: ${base}`);
  return {
    profile: ["name: test", "project_host: 127.0.0.1", ...addresses].join("\n"),
    uploads,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function functionNames(project: string): string[] {
  const folder = join(project, "supabase", "functions");
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "index.ts"))).sort();
}

/** Relative imports of the entry point that lead outside of what was uploaded. */
async function findMissingModules({ metadata, files }: Upload): Promise<string[]> {
  const dir = await Deno.makeTempDir({ prefix: "signalpost-test-" });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-lock", "--no-remote", metadata.entrypoint_path],
    cwd: dir,
  }).output();
  await Deno.remove(dir, { recursive: true });
  const { modules }: { modules: { specifier: string; error?: string }[] } = JSON.parse(
    new TextDecoder().decode(stdout),
  );
  return modules
    .filter(({ specifier, error }) => specifier.startsWith("file:") && error)
    .map(({ specifier }) => specifier);
}
