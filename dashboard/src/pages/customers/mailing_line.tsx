import { Anchor, Skeleton } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatTimesIn } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { linkTo } from "../../ui/link_to.ts";
import { describeMailing } from "./describe_mailing.ts";

const refreshMs = 30_000;

interface MailingLineProps {
  customer: Customer;
  /** Opens the form of the profile, for those who may change it. */
  edit: (() => void) | undefined;
}

/** Says whether the customer can be mailed, and leads to what settles it. */
export function MailingLine({ customer, edit }: MailingLineProps) {
  const { id: workspaceId } = useWorkspace();
  const zone = useZone();
  const options = { refetchInterval: refreshMs };
  const explanation = useApiItem("GET /sends/explain", {
    query: { customer_id: customer.id },
  }, options);
  const topics = useApiItem("GET /customers/{id}/topics", { params: { id: customer.id } }, options);
  if (explanation.isError || topics.isError) {
    return <span className="whole-row">This could not be read.</span>;
  }
  if (!explanation.data || !topics.data) return <Skeleton className="whole-row" h={44} />;
  const { lines, step } = describeMailing({
    customer,
    checks: explanation.data.checks,
    topics: topics.data.data,
  });
  return (
    <div className="whole-row">
      {lines.map((line) => <div key={line}>{formatTimesIn(line, zone)}</div>)}
      {step && (
        <Anchor {...linkTo(`/w/${workspaceId}${step.path}`, step.search)} inherit>
          {step.label}
        </Anchor>
      )}
      {customer.email === null && edit && (
        <Anchor component="button" type="button" inherit onClick={edit}>Add an address</Anchor>
      )}
    </div>
  );
}
