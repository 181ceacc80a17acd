import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createDispatchWorld } from "../../testing/service/dispatch_world.ts";

const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

/** A request as a receiver got it, and the secret it was given to verify it with. */
interface Sample {
  body: string;
  headers: Record<string, string>;
  secret: string;
}

interface Verdicts {
  isGenuine: boolean;
  isFresh: boolean;
}

type Judge = (sample: Sample) => Promise<Verdicts>;

/** The only example in a language that holds the text. */
function readExample(language: string, text: string): string {
  const fence = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs");
  const found = [...guide.matchAll(fence)].map(([, code = ""]) => code)
    .filter((code) => code.includes(text));
  assert.equal(
    found.length,
    1,
    `docs/api.md has ${found.length} ${language} examples of "${text}"`,
  );
  return found[0]!;
}

/** A request that the dispatcher really sent. */
async function receiveSample(): Promise<Sample> {
  await using world = await createDispatchWorld();
  const receiver = await world.receive();
  const { secret } = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("größer", { name: "Zoë", total: 1.5, note: "line\nbreak" });
  await world.dispatch();
  const { body, headers } = receiver.requests[0]!;
  return {
    body: new TextDecoder().decode(body),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    secret,
  };
}

/** Every judge must believe the request as it came, and no other. */
async function checkJudge(judge: Judge): Promise<void> {
  const sample = await receiveSample();
  const { headers } = sample;
  assert.deepEqual(await judge(sample), { isGenuine: true, isFresh: true }, "as it came");
  const forged = { ...sample, body: sample.body.replace("1.5", "2.5") };
  assert.deepEqual(await judge(forged), { isGenuine: false, isFresh: false }, "another body");
  const stranger = { ...sample, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
  assert.deepEqual(await judge(stranger), { isGenuine: false, isFresh: false }, "another secret");
  const stale = { ...headers, "webhook-timestamp": "1700000000" };
  assert.equal((await judge({ ...sample, headers: stale })).isFresh, false, "another time");
}

async function importExample(text: string): Promise<Record<string, unknown>> {
  const code = readExample("ts", text);
  return await import(`data:application/typescript,${encodeURIComponent(code)}`);
}

/** A directory of the test's own with these files, removed at the end. */
async function writeFiles(files: Record<string, string>) {
  const path = await Deno.makeTempDir();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${path}/${name}`, text);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Runs a command on a text to read; returns what it prints. */
async function run({ command, args = [], cwd, env = {}, input = "" }: {
  command: string;
  args?: string[];
  cwd: string;
  env?: Record<string, string>;
  input?: string;
}): Promise<string> {
  const piped = "piped" as const;
  const options = { args, cwd, env, stdin: piped, stdout: piped, stderr: piped };
  const child = new Deno.Command(command, options).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const output = await child.output();
  const decoder = new TextDecoder();
  assert.equal(output.code, 0, decoder.decode(output.stderr));
  return decoder.decode(output.stdout);
}

/** A test that needs a program; without it, its name in the report says that it was not run. */
function testWith(program: string, name: string, run: () => Promise<void>): void {
  const isThere = (Deno.env.get("PATH") ?? "").split(":").some((directory) => {
    try {
      return directory !== "" && Deno.statSync(`${directory}/${program}`).isFile;
    } catch {
      return false;
    }
  });
  const note = isThere ? "" : ` (NOT TESTED: there is no ${program} on this machine)`;
  // In CI nothing may be left out: there the test runs, and fails if the program is missing.
  Deno.test({ name: name + note, ignore: !isThere && Deno.env.get("CI") !== "true", fn: run });
}

Deno.test("the TypeScript examples of docs/api.md verify genuine deliveries only", async () => {
  const { readMessage } = await importExample("standardwebhooks") as {
    readMessage: (body: string, headers: Headers, secret: string) => unknown;
  };
  const { isGenuine } = await importExample("timingSafeEqual") as {
    isGenuine: (body: Uint8Array, signature: string | null, secret: string) => boolean;
  };
  await checkJudge((sample) => {
    const { body, headers, secret } = sample;
    const bytes = new TextEncoder().encode(body);
    assert.equal(isGenuine(bytes, null, secret), false);
    assert.equal(isGenuine(bytes, "", secret), false);
    return Promise.resolve({
      isGenuine: isGenuine(bytes, headers["x-service-signature"]!, secret),
      isFresh: doesNotThrow(() => {
        assert.deepEqual(readMessage(body, new Headers(headers), secret), JSON.parse(body));
      }),
    });
  });
});

function doesNotThrow(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return false;
  }
}

const pythonHarness = `
import json, sys
import receiver

sample = json.load(sys.stdin)
body, headers, secret = sample["body"].encode(), sample["headers"], sample["secret"]
print(json.dumps({
    "isGenuine": receiver.is_genuine(body, headers["x-service-signature"], secret),
    "isFresh": receiver.is_genuine_and_fresh(body, headers, secret),
}))
`;

testWith("python3", "the Python example of docs/api.md does so too", async () => {
  const example = readExample("python", "is_genuine");
  await using directory = await writeFiles({ "receiver.py": example, "main.py": pythonHarness });
  await checkJudge(async (sample) => {
    const input = JSON.stringify(sample);
    return JSON.parse(
      await run({ command: "python3", args: ["main.py"], cwd: directory.path, input }),
    );
  });
});

const goHarness = `package main

import (
	"encoding/json"
	"os"
)

type header map[string]string

func (h header) Get(name string) string { return h[name] }

func main() {
	var sample struct {
		Body, Secret string
		Headers      header
	}
	if err := json.NewDecoder(os.Stdin).Decode(&sample); err != nil {
		panic(err)
	}
	body, signature := []byte(sample.Body), sample.Headers.Get("x-service-signature")
	json.NewEncoder(os.Stdout).Encode(map[string]bool{
		"isGenuine": IsGenuine(body, signature, sample.Secret),
		"isFresh":   IsGenuineAndFresh(body, sample.Headers, sample.Secret),
	})
}
`;

testWith("go", "the Go example of docs/api.md does so too", async () => {
  await using directory = await writeFiles({
    "receiver.go": readExample("go", "IsGenuine").replace("package webhook", "package main"),
    "main.go": goHarness,
    "go.mod": "module webhook\n\ngo 1.21\n",
  });
  const cwd = directory.path;
  // Compiled once: with nothing in its cache Go compiles its own library first.
  await run({ command: "go", args: ["build", "-o", "judge"], cwd, env: { GOTOOLCHAIN: "local" } });
  await checkJudge(async (sample) => {
    return JSON.parse(await run({ command: "./judge", cwd, input: JSON.stringify(sample) }));
  });
});

testWith("openssl", "the openssl example of docs/api.md does so too", async () => {
  const example = readExample("sh", "openssl dgst");
  await checkJudge(async ({ body, headers, secret }) => {
    await using directory = await writeFiles({ "body.json": body });
    const env = {
      SECRET: secret,
      WEBHOOK_ID: headers["webhook-id"]!,
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"]!,
    };
    const printed = await run({
      command: "sh",
      args: ["-c", example],
      cwd: directory.path,
      env,
    });
    const [ofBody, standard] = printed.trim().split("\n");
    return {
      isGenuine: ofBody === headers["x-service-signature"],
      isFresh: `v1,${standard}` === headers["webhook-signature"],
    };
  });
});
