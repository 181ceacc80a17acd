import { Anchor, Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { BreakableAddress } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";

type About = Pick<Message, "customer_id" | "customer_name">;

/** The name of the customer that a message is about, which leads to their page. */
export function MessageCustomer({ message: { customer_id, customer_name } }: { message: About }) {
  const { id } = useWorkspace();
  if (customer_id === null) return <Text size="sm" c="dimmed">–</Text>;
  const name = customer_name ?? customer_id;
  return (
    <Anchor
      {...linkTo(`/w/${id}/customers/${customer_id}`)}
      size="sm"
      lineClamp={2}
      miw={{ base: "5rem", md: "7rem", lg: "10rem", xl: "11rem" }}
      className="break-anywhere"
      title={name}
    >
      <bdi>
        <BreakableAddress value={name} />
      </bdi>
    </Anchor>
  );
}
