import { lstatSync } from "node:fs";

/** User of the Postgres process if this process is root, which Postgres refuses. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

export interface RunResult {
  success: boolean;
  output: string;
}

const preferred = "postgres";

/**
 * The user to run Postgres as: null for this process's own, which is any but root. As root it is
 * the owner of `existing` (a data directory made earlier), or else the user "postgres", which is
 * created where it is missing.
 *
 * @throws Error when the user cannot be created.
 */
export async function chooseSystemUser(existing: string): Promise<SystemUser | null> {
  if (Deno.uid() !== 0) return null;
  const owner = lstatSync(existing, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) {
    return { name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  return await findUser(preferred) ?? await createUser(preferred);
}

async function findUser(name: string): Promise<SystemUser | null> {
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, name])));
  if (!uid?.success || !gid?.success) return null;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

async function createUser(name: string): Promise<SystemUser> {
  const attempts: [string, string[]][] = [
    ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", name]],
    ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", name]],
  ];
  for (const [command, args] of attempts) {
    const { success } = await run(command, args);
    const user = success ? await findUser(name) : null;
    if (user) return user;
  }
  throw new Error(
    `Cannot run Postgres as root, and creating the user "${name}" failed: ` +
      "start as another user, or give an existing server with --database-url",
  );
}

/** Runs a command as `user` (null: as this process), with nothing of this process's environment. */
export async function runAs(
  user: SystemUser | null,
  command: string,
  args: string[],
): Promise<RunResult> {
  return await run(command, args, user ? { uid: user.uid, gid: user.gid } : {});
}

/** Returns the environment of a child process: without PG* variables and secrets. */
export function systemEnvironment(): Record<string, string> {
  return { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

async function run(
  command: string,
  args: string[],
  identity: { uid?: number; gid?: number } = {},
): Promise<RunResult> {
  try {
    const result = await new Deno.Command(command, {
      args,
      ...identity,
      // The current directory may be closed to the other user.
      cwd: "/",
      clearEnv: true,
      env: systemEnvironment(),
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    const output = decoder.decode(result.stdout) + decoder.decode(result.stderr);
    return { success: result.success, output: output.trim() };
  } catch (error) {
    return { success: false, output: String(error) };
  }
}
