import { Anchor, Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";

type About = Pick<Message, "customer_id" | "customer_name">;

/** The name of the customer that a message is about, which leads to their page. */
export function MessageCustomer({ message: { customer_id, customer_name } }: { message: About }) {
  const { id } = useWorkspace();
  if (customer_id === null) return <Text size="sm" c="dimmed">–</Text>;
  return (
    <Anchor
      {...linkTo(`/w/${id}/customers/${customer_id}`)}
      size="sm"
      lineClamp={2}
      miw="5rem"
      className="break-anywhere"
    >
      <bdi>{customer_name ?? customer_id}</bdi>
    </Anchor>
  );
}
