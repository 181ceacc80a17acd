import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { StackInfo } from "../../local/stack.ts";
import { runCommand } from "../../testing/service/deploy_guide.ts";
import { startTestStack } from "../../testing/service/stack.ts";

interface Section {
  /** Without line breaks, so that what it says can be found. */
  text: string;
  /** Shell commands; the first block is what all others need. */
  blocks: string[];
}

/** A block that a reader ran, with the response to each of its calls. */
interface Step {
  block: string;
  output: string;
  responses: Response[];
}

interface Response {
  id?: string;
  event_id?: string;
  customer_id?: string;
  duplicate?: boolean;
  state?: string;
  error?: string;
  results?: { ok: boolean }[];
  data?: Record<string, unknown>[];
}

interface Mail {
  id: string;
  subject: string;
  text: string;
  html: string;
}

function readPage(document: string): string {
  return readFileSync(new URL(`../../${document}`, import.meta.url), "utf8");
}

function readBlocks(text: string, language: string): string[] {
  const fences = text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"));
  return [...fences].map(([, block = ""]) => block);
}

function readSection(document: string, heading: string): Section {
  const [, rest = ""] = readPage(document).split(`\n## ${heading}\n`);
  const [section = ""] = rest.split("\n## ");
  const blocks = readBlocks(section, "sh");
  assert(blocks.length > 1, `${document} has no commands under "${heading}"`);
  return { text: section.replaceAll(/\s+/g, " "), blocks };
}

/**
 * Runs all blocks in their order, as a reader does: with the placeholders filled in, and again where
 * the response is still being computed.
 */
async function follow(stack: StackInfo, { blocks: [setup = "", ...blocks] }: Section) {
  const steps: Step[] = [];
  let id = "";
  const run = async (block: string): Promise<Step> => {
    const command = (setup + block)
      .replace("pk_…", stack.api_key)
      .replace("http://127.0.0.1:54321", stack.base_url)
      .replace("<id>", id);
    const { code, text } = await runCommand(command, { cwd: ".", env: {} });
    assert.equal(code, 0, `${block}\n${text}`);
    return {
      block,
      output: text,
      responses: text.trim().split("\n").map((one) => JSON.parse(one)),
    };
  };
  for (const block of blocks) {
    let step = await run(block);
    const isComputing = () => step.responses[0]?.state === "computing";
    while (block.startsWith("api GET") && isComputing()) step = await run(block);
    id = step.responses[0]?.data?.[0]?.id as string ?? id;
    steps.push(step);
  }
  return steps;
}

function find(steps: Step[], text: string): Step {
  const step = steps.find(({ block }) => block.includes(text));
  assert(step, `no block has ${text}`);
  return step;
}

/** Returns the part of a response that the section quotes, such as `"recipients":1`. */
function quoted(section: Section, name: string): string {
  const [, quote] = new RegExp(`\`("${name}":[^\`]+)\``).exec(section.text) ?? [];
  assert(quote, `"${name}" is not quoted`);
  return quote;
}

/** Posts a JSON example to the api. */
async function post({ base_url, api_key }: StackInfo, path: string, body: string) {
  const response = await fetch(`${base_url}/functions/v1/api/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body,
  });
  const result = await response.json();
  assert(response.ok, `${path} ${body}: ${JSON.stringify(result)}`);
  return result;
}

/** Waits for so many mails to Ada, and returns all of them. */
async function receive(stack: StackInfo, count: number): Promise<Mail[]> {
  const mails = `${stack.base_url}/inbox/api/mails`;
  for (;;) {
    const { data } = await (await fetch(`${mails}?to=ada@example.com&wait=10`)).json();
    if (data.length < count) continue;
    return await Promise.all(
      data.map(async ({ id }: Mail) => (await fetch(`${mails}/${id}`)).json()),
    );
  }
}

Deno.test("the first steps of the documents lead to what they say", async (t) => {
  await using stack = await startTestStack();

  await t.step("README.md: the tour", async () => {
    const section = readSection("README.md", "A five-minute tour with curl");
    const steps = await follow(stack.info, section);
    const refused = steps.filter(({ responses }) => responses.some(({ error }) => error));
    assert.deepEqual(refused, [find(steps, '"nmae"')]);
    const [order, retry] = find(steps, '"idempotency_key"').responses;
    assert.deepEqual(retry, { ...order, duplicate: true });
    const [bulk] = find(steps, '{"events"').responses;
    assert.deepEqual(bulk?.results?.map(({ ok }) => ok), [true, false, true]);
    const segment = find(steps, "GET segments").output;
    assert(segment.includes(quoted(section, "members")), segment);
    const [alias, view] = find(steps, '"alias"').responses;
    assert.equal(view?.customer_id, alias?.customer_id);
    const record = find(steps, "customers?").responses[0]?.data?.[0] ?? {};
    assert.deepEqual(record.external_ids, ["ada", "grace"]);
    assert.deepEqual(record.anon_ids, ["visit-1"]);
    const history = find(steps, "$ID").responses[0]?.data?.map(({ name }) => name) ?? [];
    assert(["product_view", "order_created", "page_view"].every((name) => history.includes(name)));
    const review = find(steps, "/review").output;
    assert(review.includes(quoted(section, "recipients")), review);
    const mails = await receive(stack.info, 2);
    assert.equal(mails.length, 2);
    for (const { subject, html } of mails) {
      assert(section.text.includes(`*${subject}*`), subject);
      const [, link] = /<a href="([^"]+)">Unsubscribe/.exec(html) ?? [];
      const page = await fetch(link!);
      assert.match(await page.text(), /<button/);
    }
  });

  await t.step("docs/sending.md: a mail to the inbox", async () => {
    const section = readSection("docs/sending.md", "Try it on your machine");
    await follow(stack.info, section);
    const [newest] = await receive(stack.info, 3);
    assert(section.text.includes(`*${newest!.subject}* says "${newest!.text.trim()}"`));
  });

  await t.step("docs/journeys.md: a first journey", async () => {
    const section = readSection("docs/journeys.md", "A first journey");
    const [setup = "", ...blocks] = section.blocks;
    await follow(stack.info, section);
    const expected = quoted(section, "onboarded");
    const read = { ...section, blocks: [setup, blocks.at(-1)!] };
    for (let output = ""; !output.includes(expected);) {
      [{ output } = { output }] = await follow(stack.info, read);
    }
  });

  await t.step("docs/sending.md: a sender of each provider", async () => {
    const examples = readBlocks(readPage("docs/sending.md"), "json");
    const senders = await Promise.all(examples.map((one) => post(stack.info, "senders", one)));
    const providers = ["smtp", "resend", "postmark", "sendgrid", "mailgun", "ses"];
    assert.deepEqual(senders.map(({ provider }) => provider), providers);
  });

  await t.step("docs/journeys.md: a simulation of the first journey", async () => {
    const [, simulate = ""] = readPage("docs/journeys.md").split("\n## Simulate\n");
    const [example = ""] = readBlocks(simulate, "json");
    const { path } = await post(stack.info, "journeys/onboarding/simulate", example);
    assert.deepEqual(path.at(-1).would, { update: { attributes: { onboarded: true } } });
  });
});
