import { Anchor } from "@mantine/core";
import { customerName } from "../../api/customer_name.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";

/** A link to a customer by their name. It asks for the customer: use it for a few, not in lists. */
export function CustomerLink({ customerId }: { customerId: string }) {
  const { id } = useWorkspace();
  const { data } = useApiItem("GET /customers/{id}", { params: { id: customerId } });
  return (
    <Anchor {...linkTo(`/w/${id}/customers/${customerId}`)} size="sm">
      <bdi>{data === undefined ? customerId : customerName(data)}</bdi>
    </Anchor>
  );
}
