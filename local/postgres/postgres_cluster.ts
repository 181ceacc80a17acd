import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastProblem } from "./postgres_server.ts";
import { runAs, type SystemUser } from "./system_user.ts";

export interface ClusterOptions {
  dir: string;
  password: string;
  major: number;
  binaries: string;
  user: SystemUser | null;
  /** Options of `initdb`. @default UTF-8, sorted by the codes of the characters */
  locale?: readonly string[];
}

/** Folder for clusters of root, if the user of Postgres cannot enter the requested directory. */
const sharedHome = "/var/lib/signalpost";

/**
 * The data directory of the cluster in `dir`, created on first use. It is `dir/cluster`, or what
 * the link of that name leads to where only root can enter `dir`.
 *
 * @throws Error when it belongs to another user or to another major version.
 */
export async function placeCluster(options: ClusterOptions): Promise<string> {
  const cluster = join(options.dir, "cluster");
  mkdirSync(options.dir, { recursive: true });
  if (!existsSync(join(cluster, "PG_VERSION"))) await createCluster(options, cluster);
  const data = realpathSync(cluster);
  await checkOwner(data, options.user);
  const version = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (version !== String(options.major)) {
    throw new Error(
      `Cannot use data directory "${data}": Postgres ${version} made it, this is ${options.major}`,
    );
  }
  return data;
}

/** Built aside and renamed, so that a start killed half-way leaves nothing that looks complete. */
async function createCluster(options: ClusterOptions, cluster: string): Promise<void> {
  if (lstatSync(cluster, { throwIfNoEntry: false })) {
    throw new Error(`Cannot use "${cluster}": it is not a readable Postgres data directory`);
  }
  const target = await chooseTarget(options, cluster);
  const staging = `${target}.new`;
  rmSync(staging, { recursive: true, force: true });
  makeOwnDirectory(staging, options.user);
  try {
    await initialise(options, staging);
    renameSync(staging, target);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  if (target !== cluster) symlinkSync(target, cluster);
}

async function chooseTarget(options: ClusterOptions, cluster: string): Promise<string> {
  if (!options.user) return cluster;
  const probe = `${cluster}.probe`;
  makeOwnDirectory(probe, options.user);
  const { success } = await runAs(options.user, "/bin/sh", ["-c", 'test -w "$0"', probe]);
  rmSync(probe, { recursive: true });
  if (success) return cluster;
  mkdirSync(sharedHome, { recursive: true, mode: 0o755 });
  return join(sharedHome, crypto.randomUUID());
}

function makeOwnDirectory(path: string, user: SystemUser | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  if (user) chownSync(path, user.uid, user.gid);
}

async function initialise(options: ClusterOptions, data: string): Promise<void> {
  const passwordFile = join(tmpdir(), `signalpost-${crypto.randomUUID()}`);
  writeFileSync(passwordFile, options.password, { mode: 0o600, flag: "wx" });
  if (options.user) chownSync(passwordFile, options.user.uid, options.user.gid);
  try {
    const { success, output } = await runAs(options.user, join(options.binaries, "bin", "initdb"), [
      `--pgdata=${data}`,
      "--username=postgres",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      ...options.locale ?? chooseLocale(options.major),
    ]);
    if (!success) {
      throw new Error(`Cannot create a database in "${data}": ${lastProblem(output)}`);
    }
  } finally {
    rmSync(passwordFile);
  }
}

/** Only from 17 on is there a UTF-8 locale that does not depend on the operating system. */
function chooseLocale(major: number): readonly string[] {
  return major >= 17
    ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    : ["--locale=C"];
}

async function checkOwner(data: string, user: SystemUser | null): Promise<void> {
  const { uid } = lstatSync(data);
  const wanted = user?.uid ?? Deno.uid();
  if (uid === wanted) return;
  if (Deno.uid() !== 0) {
    throw new Error(`Cannot use data directory "${data}": it belongs to another user`);
  }
  await runAs(null, "chown", ["-R", `${wanted}:${user?.gid ?? wanted}`, data]);
}
