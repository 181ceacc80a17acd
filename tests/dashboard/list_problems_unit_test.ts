import assert from "node:assert/strict";
import type { Alert, Campaign, Destination, Sender } from "../../dashboard/src/api/types.ts";
import { type Findings, listProblems } from "../../dashboard/src/pages/overview/list_problems.ts";

type Health<Of extends Destination | Sender> = Partial<Of["health"]>;

function destination(id: string, health: Health<Destination>, enabled = true) {
  const disabled_by = enabled ? null : "member";
  return { id, name: id, enabled, disabled_by, health: { ...quiet, ...health } } as Destination;
}

function sender(id: string, health: Health<Sender>, disabled_by: Sender["disabled_by"] = null) {
  return { id, name: id, disabled_by, health: { ...quiet, ...health } } as unknown as Sender;
}

function alert(rule_name: string, target: string | null): Alert {
  return { rule_name, message: `${rule_name}!`, target: target && { id: target } } as Alert;
}

const quiet = {
  state: "healthy",
  pending: 0,
  missed: 0,
  next_probe_at: null,
  failed_24h: 0,
  last_failure_at: null,
} as const;
const nothing: Findings = {
  destinations: [],
  senders: [],
  campaigns: [],
  alerts: [],
  rejected: undefined,
};
const rejected = {
  data: [{ reason: "unknown_field" }],
  entries: 1,
  is_complete: true,
} as unknown as Findings["rejected"];

function titlesOf(findings: Partial<Findings>): string[] {
  return listProblems({ ...nothing, ...findings }).map(({ title }) => title);
}

Deno.test("listProblems() puts the most severe first among all kinds", () => {
  const titles = titlesOf({
    destinations: [
      destination("missed", { missed: 3 }),
      destination("disabled", { state: "disabled", missed: 3 }, false),
      destination("failing", { state: "failing" }),
      destination("failing with waiting", { state: "failing", pending: 592 }),
      destination("healthy", {}),
    ],
    senders: [sender("failing sender", { state: "failing", pending: 2 })],
    rejected,
  });
  assert.deepEqual(titles, [
    "failing with waiting",
    "failing sender",
    "failing",
    "disabled",
    "Rejected entries",
    "missed",
  ]);
});

Deno.test("listProblems() names the campaigns that a failing or disabled sender holds", () => {
  const campaigns = [
    { id: "1", name: "Sale", sender: "broken" },
    { id: "2", name: "News", sender: "off" },
    { id: "3", name: "Fine", sender: "fine" },
  ] as Campaign[];
  const senders = [
    sender("broken", { state: "failing" }),
    sender("off", { state: "disabled" }, "member"),
    sender("fine", {}),
    sender("unused", { state: "disabled" }, "member"),
  ];
  assert.deepEqual(titlesOf({ senders, campaigns }), ["broken", "Sale", "off", "News"]);
});

Deno.test("listProblems() shows an open alert in the row of its target", () => {
  const problems = listProblems({
    ...nothing,
    destinations: [destination("crm", { state: "failing", pending: 5 })],
    senders: [sender("main", {})],
    alerts: [alert("CRM is down", "crm"), alert("Complaints", "main"), alert("Quota", null)],
  });
  assert.deepEqual(problems.map(({ title, note }) => [title, note]), [
    ["crm", "5 waiting, alert “CRM is down” is open"],
    ["main", "None waiting, alert “Complaints” is open"],
    ["Open alerts", "Quota!"],
  ]);
});
