import { Anchor, List, Paper, Text, Title } from "@mantine/core";
import { AlertIcon, CheckIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import type { Campaign } from "../../api/types.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { MarkedItem } from "../../ui/marked_item.tsx";
import type { SendCheck } from "./send_checks.ts";
import { useSendChecks } from "./use_send_checks.ts";

/** Lists the checks of a campaign before it is sent, each with the place to fix it. */
export function BeforeYouSend({ campaign }: { campaign: Campaign }) {
  const checks = useSendChecks(campaign);
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Before you send</Title>
      {checks.length === 0 ? <Text size="sm" c="dimmed">Checking…</Text> : (
        <List
          listStyleType="none"
          spacing="xs"
          size="sm"
          className="break-anywhere"
          aria-label="Before you send"
        >
          {checks.map((check) => <Check key={check.label} check={check} campaign={campaign} />)}
        </List>
      )}
    </Paper>
  );
}

/** The labels of the warnings among the checks, in one list; nothing without any. */
export function ShortWarnings({ campaign }: { campaign: Campaign }) {
  const warnings = useSendChecks(campaign).filter(({ isFine }) => !isFine);
  if (warnings.length === 0) return null;
  return (
    <List
      listStyleType="none"
      spacing={4}
      size="sm"
      className="break-anywhere"
      aria-label="Warnings"
    >
      {warnings.map(({ label }) => (
        <MarkedItem key={label} icon={AlertIcon} color="yellow" label="Warning">
          {label}
        </MarkedItem>
      ))}
    </List>
  );
}

function Check({ check, campaign }: { check: SendCheck; campaign: Campaign }) {
  const { label, isFine, notes } = check;
  return (
    <MarkedItem
      icon={isFine ? CheckIcon : AlertIcon}
      color={isFine ? "green" : "yellow"}
      label={isFine ? "Fine" : "Warning"}
    >
      {label}
      {notes.map((note) => <Text key={note} size="xs" c="dimmed">{note}</Text>)}
      <Fix check={check} campaign={campaign} />
    </MarkedItem>
  );
}

/** Leads to where a problem is fixed. */
function Fix({ check: { fix }, campaign }: { check: SendCheck; campaign: Campaign }) {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMay("admin");
  const navigate = useNavigate();
  if (fix === undefined || (fix === "test" && !mayEdit)) return null;
  if (fix !== "test") {
    return (
      <Anchor {...linkTo(`/w/${workspaceId}${fix.path}`)} size="xs" display="block">
        {fix.label}
      </Anchor>
    );
  }
  return (
    <Anchor
      component="button"
      type="button"
      size="xs"
      display="block"
      onClick={() =>
        void navigate({
          to: ".",
          search: true,
          state: (state) => ({ ...state, dialog: `campaign-test:${campaign.id}` }),
          replace: true,
        })}
    >
      Send a test email
    </Anchor>
  );
}
