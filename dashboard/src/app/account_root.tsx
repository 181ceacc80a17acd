import { Outlet } from "@tanstack/react-router";
import { LeaveGuard } from "../ui/leave_guard.tsx";
import { LoadingPage } from "../ui/skeletons.tsx";
import { useRequiredSession } from "./require_session.ts";

/** Requires a session for the pages outside of any workspace. */
export function AccountRoot() {
  return useRequiredSession()
    ? (
      <LeaveGuard>
        <Outlet />
      </LeaveGuard>
    )
    : <LoadingPage />;
}
