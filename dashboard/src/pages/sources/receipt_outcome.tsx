import { Badge } from "@mantine/core";
import type { Receipt } from "../../api/types.ts";

const outcomeTexts: Record<Receipt["outcome"], { label: string; color: string }> = {
  accepted: { label: "Accepted", color: "green" },
  duplicate: { label: "Duplicate", color: "gray" },
  ignored: { label: "Ignored", color: "gray" },
  rejected: { label: "Entries rejected", color: "yellow" },
  handshake: { label: "Handshake", color: "teal" },
  refused: { label: "Refused", color: "red" },
};

export const outcomeOptions = Object.entries(outcomeTexts).map(([value, { label }]) => ({
  value,
  label,
}));

export function outcomeLabel(outcome: Receipt["outcome"]): string {
  return outcomeTexts[outcome].label;
}

export function ReceiptOutcome({ outcome }: Pick<Receipt, "outcome">) {
  const { label, color } = outcomeTexts[outcome];
  return <Badge color={color}>{label}</Badge>;
}
