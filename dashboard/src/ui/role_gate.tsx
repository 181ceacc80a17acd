import { Paper } from "@mantine/core";
import { LockIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import type { Role } from "../api/types.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import { EmptyState } from "./empty_state.tsx";

interface RoleGateProps {
  /** The least role that may do it. */
  role: Role;
  /** Action that needs the role, such as "create sources". */
  action: string;
  children: ReactNode;
}

/** Shows its content to users with a sufficient role, and the reason to all others. */
export function RoleGate({ role, action, children }: RoleGateProps) {
  const isAllowed = useMay(role);
  const workspace = useWorkspace();
  if (isAllowed) return children;
  return (
    <Paper>
      <EmptyState icon={LockIcon} title={`Your role can’t ${action}`}>
        You are a {workspace.role} of this workspace. Ask an admin or owner to change your role to
        {" "}
        {role}.
      </EmptyState>
    </Paper>
  );
}
