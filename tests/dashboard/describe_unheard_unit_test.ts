import assert from "node:assert/strict";
import { describeUnheard } from "../../dashboard/src/pages/alerts/describe_unheard.ts";

const crm = { id: "crm", name: "CRM", enabled: true, event_types: ["*"] };
const chat = { id: "chat", name: "Chat", enabled: true, event_types: ["order_created"] };
const main = { id: "main", name: "Main", enabled: true };
const carriers = { destinations: [chat], senders: [main] };
const toChat = { type: "destination", destination_id: "chat" } as const;
const byMain = { type: "email" as const, sender_id: "main", to: ["ops@example.com"] };
const nobody = "Nobody is notified outside the dashboard";

Deno.test("describeUnheard() warns of a rule that tells only the bell", () => {
  const rule = { kind: "backlog", target_id: null } as const;
  assert.equal(describeUnheard({ ...rule, channels: [] }, carriers), nobody);
  assert.equal(describeUnheard({ ...rule, channels: [byMain] }, carriers), undefined);
  const disabled = { ...carriers, senders: [{ ...main, enabled: false }] };
  assert.equal(describeUnheard({ ...rule, channels: [byMain] }, disabled), nobody);
});

Deno.test("describeUnheard() does not count what the alert is about", () => {
  const rule = { kind: "destination_failing", target_id: "chat" } as const;
  assert.equal(describeUnheard({ ...rule, channels: [toChat] }, carriers), nobody);
  const subscribed = { ...carriers, destinations: [chat, crm] };
  assert.equal(describeUnheard({ ...rule, channels: [toChat] }, subscribed), undefined);
  const sender = { kind: "sender_failing", target_id: "main" } as const;
  assert.equal(describeUnheard({ ...sender, channels: [byMain] }, carriers), nobody);
});

Deno.test("describeUnheard() names the one carrier that a rule about all watches too", () => {
  const all = { kind: "destination_failing", target_id: null } as const;
  const carried = { destinations: [crm], senders: [main] };
  assert.equal(
    describeUnheard({ ...all, channels: [] }, carried),
    "Nobody is notified about “CRM” outside the dashboard",
  );
  assert.equal(
    describeUnheard({ ...all, kind: "sender_failing", channels: [] }, carried),
    undefined,
  );
});
