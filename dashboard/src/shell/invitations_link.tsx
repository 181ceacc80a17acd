import { Badge, NavLink } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import { linkTo } from "../components/link_to.ts";
import { useInvitations } from "../pages/invitations/invitations.ts";

/** Only how many there are: what a stranger calls a workspace shows on its own page alone. */
export function InvitationsLink() {
  const count = useInvitations().data?.length ?? 0;
  if (count === 0) return null;
  return (
    <NavLink
      {...linkTo("/invitations")}
      label="Invitations"
      leftSection={<MailIcon size={16} />}
      rightSection={<Badge size="sm" circle>{count > 9 ? "9+" : count}</Badge>}
      className="nav-link"
      py={6}
    />
  );
}
