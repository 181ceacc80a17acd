import { Outlet } from "@tanstack/react-router";
import { LoadingPage } from "../ui/skeletons.tsx";
import { useRequiredSession } from "./require_session.ts";

/** Requires a session for the pages outside of any workspace. */
export function AccountRoot() {
  return useRequiredSession() ? <Outlet /> : <LoadingPage />;
}
