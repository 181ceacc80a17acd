import assert from "node:assert/strict";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const plain = { template: "plain", sender: "main", external_id: "ada" };

Deno.test("GET /sends/explain says what stops a message, and what became of it", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada, bob } = await prepareSends(world, act);
  const explain = async (id: string) => (await act("GET", `/sends/explain?customer_id=${id}`)).body;
  assert.equal((await explain(ada)).answer, "No message was created for the customer");
  assert.equal(
    (await explain(bob)).answer,
    "No message was created, and none would be sent now: the customer has no address",
  );
  const id = crypto.randomUUID();
  assert.equal((await explain(id)).error, "Customer does not exist");
  assert.equal((await explain(`${ada}&campaign_id=${id}`)).error, "Campaign does not exist");
  assert.equal((await explain(`${ada}&journey_id=${id}`)).error, "Journey does not exist");

  const news = { template: "news", sender: "main", topic: "news", external_id: "ada" };
  const { body: { send_id } } = await act("POST", "/sends", news);
  await act("PUT", `/customers/${ada}/topics`, { topic: "news", subscribed: false });
  await act("POST", "/suppressions", { email: "ada@example.com" });
  await act("PATCH", `/workspaces/${world.workspaceId}`, { caps: [{ max: 3, per: "7d" }] });
  await world.sql`
    update public.sends set state = 'skipped', reason = 'unsubscribed' where id = ${send_id}`;
  const { answer, checks } = await explain(ada);
  assert.equal(answer, "Not sent: the address was not subscribed to the topic");
  assert.deepEqual(
    checks.map(({ subject, ok, message }: Record<string, unknown>) => [subject, ok, message]),
    [
      ["address", true, "The address is ada@example.com"],
      ["suppression", false, "The address is suppressed: added manually or through the API"],
      ["consent", false, 'The address is not subscribed to "News"'],
      ["caps", true, "0 of 3 marketing emails in 7d"],
      ["quiet_hours", true, "Quiet hours do not apply now"],
      ["sender", true, 'The sender "Main" has sent nothing yet'],
      ["send", false, "Not sent: the address was not subscribed to the topic"],
    ],
  );
  await world.sql`select ops.stop_sending(${world.workspaceId}, 'wrong mail')`;
  assert.match(
    (await explain(ada)).checks[0].message,
    /^All sends of the workspace have been stopped/,
  );
});

/** A send as it may end, and the answer to "why did they not get it?". */
const outcomes: [change: Record<string, unknown>, answer: string][] = [
  [
    { state: "queued", reason: "quiet_hours" },
    "Waiting: the quiet hours of the customer have not ended",
  ],
  [
    { state: "skipped", reason: "capped" },
    "Not sent: the address had received as many messages as the caps of the workspace allow",
  ],
  [{ state: "skipped", reason: "suppressed" }, "Not sent: the address was suppressed"],
  [
    { state: "skipped", reason: "too_late" },
    "Not sent: its time limit passed before its turn came",
  ],
  [
    {
      state: "queued",
      reason: "temporary_refusal",
      attempts: [{ outcome: "retry", response: "450 4.2.0 greylisted" }],
    },
    "Waiting: the provider refused it for now. Its answer: 450 4.2.0 greylisted",
  ],
  [
    {
      state: "failed",
      reason: "rejected",
      attempts: [{ outcome: "retry", response: "450 x" }, {
        outcome: "failed",
        response: "550 no such user",
      }],
    },
    "Failed: the provider refused the message. Its answer: 550 no such user",
  ],
  [
    { state: "unknown", reason: "interrupted" },
    "Unknown whether it was sent: the service was interrupted while handing it to the provider",
  ],
  [{ state: "sent", attempts: [{ outcome: "sent", response: "250 ok" }] }, "Sent"],
  [{ state: "sent", feedback: "delivered" }, "Sent and delivered"],
  [
    { state: "sent", feedback: "bounced", feedback_reason: "unknown_address" },
    "Sent and bounced (unknown_address)",
  ],
  [{ state: "sent", feedback: "complained" }, "Sent and reported as spam"],
];

Deno.test("a test that is rendered for a customer does not say that the customer got something", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { bob } = await prepareSends(world, act);
  await world.sql`
    select private.create_sends(
      jsonb_build_array(jsonb_build_object(
        'workspace_id', ${world.workspaceId}::uuid, 'customer_id', ${bob}::uuid, 'purpose', 'test',
        'email', 'team@acme.example',
        'sender_id', (select s.id from public.senders as s where s.key = 'main'),
        'template_id', (select t.id from public.templates as t where t.key = 'news')
      )), now()
    )`;
  const explained = await act("GET", `/sends/explain?customer_id=${bob}`);
  assert.match(explained.body.answer, /^No message was created, and/);
  assert.deepEqual((await act("GET", `/customers/${bob}/sends`)).body.data, []);
  const [sent] = (await act("GET", `/sends?customer_id=${bob}`)).body.data;
  assert.equal(sent.is_test, true);
});

Deno.test("GET /sends/explain names what decided, with the answer of the provider", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  const { body: { send_id } } = await act("POST", "/sends", plain);
  for (const [change, answer] of outcomes) {
    await t.step(answer, async () => {
      const row: Record<string, unknown> = {
        reason: null,
        attempts: [],
        feedback: null,
        feedback_reason: null,
        ...change,
      };
      await world.sql`
        update public.sends as s
        set
          state = r.state, reason = r.reason, attempts = r.attempts, feedback = r.feedback,
          feedback_reason = r.feedback_reason
        from jsonb_populate_record(null::public.sends, ${JSON.stringify(row)}::text::jsonb) as r
        where s.id = ${send_id}`;
      const { body } = await act("GET", `/sends/explain?customer_id=${ada}`);
      assert.equal(body.answer, answer);
      const isOk = (row.state === "sent" || row.reason === "quiet_hours") &&
        !["bounced", "complained"].includes(row.feedback as string);
      assert.equal(body.checks.at(-1).ok, isOk);
      assert.equal(body.checks.at(-1).state, row.state);
    });
  }
});

Deno.test("GET /sends/explain says that a message waits for its sender, and why", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const { ada } = await prepareSends(world, act);
  await act("POST", "/sends", plain);
  const explain = async () => {
    const { answer, checks } = (await act("GET", `/sends/explain?customer_id=${ada}`)).body;
    const sender = checks.find(({ subject }: { subject: string }) => subject === "sender");
    return { answer, ok: sender.ok, message: sender.message };
  };
  const { body: { id } } = await act("GET", "/senders/main");
  const lane = (change: Record<string, unknown>) =>
    world.sql`
      update private.send_lanes as l
      set
        last_success_at = r.last_success_at, last_failure_at = r.last_failure_at,
        last_error = r.last_error, paused_until = r.paused_until
      from jsonb_populate_record(null::private.send_lanes, ${
      JSON.stringify(change)
    }::text::jsonb) as r
      where l.sender_id = ${id}`;

  await t.step("nothing is said about a sender that is in order", async () => {
    assert.equal((await explain()).answer, "Waiting");
    await lane({ last_success_at: "2026-12-01T08:00:00Z" });
    assert.deepEqual(await explain(), {
      answer: "Waiting",
      ok: true,
      message: 'The sender "Main" works',
    });
  });

  await t.step("a pause that the provider asked for", async () => {
    await lane({ paused_until: "2999-01-01T00:00:00Z" });
    assert.equal((await explain()).answer, "Waiting: the provider asked for a pause");
  });

  await t.step("a sender that is failing", async () => {
    await lane({ last_failure_at: "2026-12-01T09:00:00Z", last_error: "dns" });
    const because = 'sender "Main" is failing: the mail server was not found (DNS)';
    assert.deepEqual(await explain(), {
      answer: `Waiting: the ${because}`,
      ok: false,
      message: `The ${because}`,
    });
  });

  await t.step("a sender that is disabled", async () => {
    await act("PATCH", "/senders/main", { enabled: false });
    assert.equal(
      (await explain()).answer,
      'Waiting: the sender "Main" is disabled: disabled by a member',
    );
  });
});
