import { Badge } from "@mantine/core";
import type { CataloguedEvent } from "../../api/types.ts";

/** The decision of people about an event name. */
export function StatusBadge({ status }: Pick<CataloguedEvent, "status">) {
  if (status === null) return <Badge color="gray">Not reviewed</Badge>;
  return status === "expected"
    ? <Badge color="teal">Expected</Badge>
    : <Badge color="orange">Unexpected</Badge>;
}
