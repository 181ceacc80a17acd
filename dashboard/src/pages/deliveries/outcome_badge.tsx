import { Badge } from "@mantine/core";
import { CheckIcon, XIcon } from "@primer/octicons-react";
import type { Delivery } from "../../api/types.ts";

type Outcome = Pick<Delivery, "ok" | "status_code" | "error">;

export function OutcomeBadge(outcome: Outcome) {
  const Icon = outcome.ok ? CheckIcon : XIcon;
  return (
    <Badge color={outcome.ok ? "green" : "red"} leftSection={<Icon size={12} />}>
      {outcomeText(outcome)}
    </Badge>
  );
}

/** Describes an outcome: "Delivered 200", "Failed 500", "Failed: connection refused". */
export function outcomeText({ ok, status_code, error }: Outcome): string {
  if (ok) return `Delivered ${status_code ?? ""}`;
  if (status_code !== null) return `Failed ${status_code}`;
  return error ? `Failed: ${nameError(error)}` : "Failed";
}

const errorNames: Readonly<Record<string, string>> = {
  dns: "host not found",
  tls: "TLS error",
  protocol: "not HTTP",
  network: "network error",
};

/** Names an error of an attempt: "connection refused", "host not found". */
export function nameError(error: string): string {
  return errorNames[error] ?? error.replaceAll("_", " ");
}

const triggerTexts: Record<Delivery["trigger"], string> = {
  event: "First attempt",
  retry: "Automatic retry",
  replay: "Manual attempt",
  test: "Test",
};

export function triggerLabel(trigger: Delivery["trigger"]): string {
  return triggerTexts[trigger];
}

/** Names an attempt by what caused it, and by its number where that says more: "Automatic retry, no. 3". */
export function nameAttempt(
  { attempt_number: number, trigger }: Pick<Delivery, "attempt_number" | "trigger">,
): string {
  return number === 1 ? triggerLabel(trigger) : `${triggerLabel(trigger)}, no. ${number}`;
}

export function destinationName({ destination_name }: Pick<Delivery, "destination_name">): string {
  return destination_name ?? "Deleted destination";
}
