import { notifications } from "@mantine/notifications";
import type { InvitedMember } from "../../api/types.ts";
import { useApiAction, useWholeList } from "../../api/use_api.ts";
import { showError } from "../../ui/show_error.ts";
import { useMay } from "../../api/workspace.ts";

/** The reasons for which an invitation is not emailed. */
export const unsentTexts: Record<Exclude<InvitedMember["mail"], "queued">, string> = {
  no_sender: "This workspace has no enabled sender that could email it.",
  limit_reached: "This workspace emailed 20 invitations within an hour. Resend it later.",
  not_asked: "Nobody asked to email it.",
};

/** Returns whether the workspace has a sender that emails invitations. */
export function useHasSender(): boolean {
  const isAdmin = useMay("admin");
  return useWholeList("GET /senders", {}, { enabled: isAdmin }).some(({ enabled }) => enabled);
}

/** Says whether an invitation was emailed, and to which address. */
export function showMail({ email, mail }: InvitedMember): void {
  if (mail === "queued") {
    notifications.show({ message: `Invitation emailed to ${email}`, color: "teal" });
    return;
  }
  notifications.show({
    message: `Not emailed. ${unsentTexts[mail]} Copy the link and send it yourself.`,
    color: "yellow",
    autoClose: 10_000,
  });
}

/** Emails an open invitation again. */
export function useResend(id: string) {
  return useApiAction(
    "POST /members/{id}/mail",
    () => ({ params: { id }, body: { dashboard_url: location.origin } }),
    { onSuccess: showMail, onError: showError },
  );
}
