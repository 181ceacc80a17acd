import { Badge, NavLink } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import { linkTo } from "../ui/link_to.ts";
import { useInvitations } from "../api/invitations.ts";

/** Shows a count only: strangers choose the names of their workspaces. */
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
