import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNewestFolder } from "../run/programs.ts";

export const languages = ["python", "go", "java", "rust", "node"] as const;

export type Language = (typeof languages)[number];

/** A language whose library of Segment's is installed. */
export interface Toolchain {
  /** Runs a program to its end. @throws Error with what it printed when it fails */
  run(source: string, env?: Record<string, string>): Promise<void>;
}

/** Versions that docs/migrate-from-segment.md names. */
const versions = { python: "2.4.0", go: "v3.3.0", java: "3.5.4", rust: "0.2.6" };
const senders = fileURLToPath(new URL("../../tests/segment_protocol/senders/", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Installs the library of a language, once for all runs on this machine. */
export async function prepareLanguage(language: Language): Promise<Toolchain> {
  const version = language === "node" ? "" : versions[language];
  const user = Deno.uid() ?? 0;
  const folder = join(tmpdir(), `signalpost-libraries-${user}`, `${language}-${version}`);
  await Deno.mkdir(folder, { recursive: true });
  return await toolchains[language](folder);
}

/** The program that sends numbered events in this language. */
export async function readSender(language: Language): Promise<string> {
  const names = { python: "sender.py", go: "sender.go", java: "Sender.java", node: "sender.ts" };
  assert(language !== "rust", "Rust's library has no retries");
  return await Deno.readTextFile(join(senders, names[language]));
}

const toolchains: Record<Language, (folder: string) => Promise<Toolchain> | Toolchain> = {
  async python(folder) {
    const python = join(folder, "bin", "python");
    await once(folder, async () => {
      await execute("python3", ["-m", "venv", folder]);
      const library = `segment-analytics-python==${versions.python}`;
      await execute(python, ["-m", "pip", "install", "--quiet", library]);
    });
    return { run: (source, env) => execute(python, ["-c", source], { env }) };
  },
  async go(folder) {
    const go = join(findNewestFolder("go", "version"), "go");
    await once(folder, async () => {
      const library = `github.com/segmentio/analytics-go/v3@${versions.go}`;
      await execute(go, ["mod", "init", "example"], { cwd: folder });
      await execute(go, ["get", library], { cwd: folder });
    });
    return {
      async run(source, env) {
        const program = await Deno.makeTempDir({ dir: folder });
        try {
          await Deno.writeTextFile(join(program, "main.go"), source);
          await execute(go, ["run", "-mod=mod", "./main.go"], { cwd: program, env });
        } finally {
          await Deno.remove(program, { recursive: true });
        }
      },
    };
  },
  async java(folder) {
    await once(folder, async () => {
      await Deno.writeTextFile(join(folder, "pom.xml"), javaProject);
      const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
      await execute("mvn", ["-q", "-B", goal, "-DoutputDirectory=libraries"], { cwd: folder });
    });
    return {
      async run(source, env) {
        const program = await Deno.makeTempDir();
        try {
          const file = join(program, `${/public class (\w+)/.exec(source)![1]}.java`);
          await Deno.writeTextFile(file, source);
          await execute("java", ["-cp", join(folder, "libraries", "*"), file], { env });
        } finally {
          await Deno.remove(program, { recursive: true });
        }
      },
    };
  },
  async rust(folder) {
    await Deno.mkdir(join(folder, "src"), { recursive: true });
    await Deno.writeTextFile(join(folder, "Cargo.toml"), rustProject);
    // Cargo starts the compiler that it finds on the path.
    const path = `${findNewestFolder("cargo", "--version")}:${Deno.env.get("PATH")}`;
    return {
      async run(source, env) {
        await Deno.writeTextFile(join(folder, "src", "main.rs"), source);
        const environment = { ...env, PATH: path };
        await execute("cargo", ["run", "--quiet"], { cwd: folder, env: environment });
      },
    };
  },
  node: () => ({
    async run(source, env) {
      // Beside the project's own modules, or the names in it would lead nowhere.
      const file = await Deno.makeTempFile({ dir: senders, prefix: "run-", suffix: ".ts" });
      try {
        await Deno.writeTextFile(file, source);
        await execute(Deno.execPath(), ["run", "-A", "--no-check", file], { cwd: root, env });
      } finally {
        await Deno.remove(file);
      }
    },
  }),
};

const javaProject = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>example</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.segment.analytics.java</groupId>
      <artifactId>analytics</artifactId>
      <version>${versions.java}</version>
    </dependency>
  </dependencies>
</project>
`;

const rustProject = `[package]
name = "example"
version = "0.0.0"
edition = "2021"

[dependencies]
segment = "=${versions.rust}"
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }

[profile.dev]
debug = false
`;

/** Installs into a folder that a run before this one has not. */
async function once(folder: string, install: () => Promise<void>): Promise<void> {
  const done = join(folder, "installed");
  if (await Deno.stat(done).catch(() => undefined)) return;
  await Deno.remove(folder, { recursive: true });
  await Deno.mkdir(folder, { recursive: true });
  await install();
  await Deno.writeTextFile(done, "");
}

async function execute(
  program: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> | undefined } = {},
): Promise<void> {
  const { env = {}, ...rest } = options;
  const child = new Deno.Command(program, {
    args,
    env,
    ...rest,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await child.output();
  if (code === 0) return;
  const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
  throw new Error(`"${program}" ended with ${code}: ${text.slice(-4000)}`);
}
