import { Alert, Button, Stack, Text, Timeline } from "@mantine/core";
import { useState } from "react";
import type { Simulation } from "../../../api/types.ts";
import { formatShort } from "../../../format/time.ts";
import { useZone } from "../../../format/use_zone.ts";
import { MailFrame } from "../../../ui/mail_frame.tsx";
import { KindIcon } from "../editor/kind_icon.tsx";
import { useEditor } from "../editor/use_editor.ts";
import { describeOutcome } from "../model/describe_outcome.ts";
import { makeStepNamer } from "../model/describe_part.ts";
import { Modal } from "../../../ui/overlays.tsx";

type Visit = Simulation["path"][number];

/** A rendered mail of a simulated send. */
interface Mail {
  subject: string;
  html: string | null;
  text: string | null;
}

/** The steps that the customer would come to, and where the run stands at the end. */
export function SimulatedPath({ simulation }: { simulation: Simulation }) {
  const nameStep = makeStepNamer(useEditor());
  const [mail, setMail] = useState<Mail>();
  const zone = useZone();
  const { entered, not_entered, path, state, reason, step, wake_at } = simulation;
  if (!entered) {
    return (
      <Alert color="yellow" title="The customer does not enter">
        {describeRefusal(not_entered ?? "")}
      </Alert>
    );
  }
  return (
    <section aria-label="Result of the test">
      <Timeline bulletSize={24} lineWidth={2} active={path.length}>
        {path.map((visit) => (
          <Timeline.Item
            key={visit.visit}
            bullet={<KindIcon kind={visit.kind} size={12} />}
            title={nameStep(visit.step)}
          >
            <Text size="xs" c="dimmed">{formatShort(visit.at, zone)}</Text>
            <Text size="sm" className="break-anywhere">
              {describeOutcome(visit.outcome, { kind: visit.kind, nameStep })}
            </Text>
            <Would visit={visit} show={setMail} />
          </Timeline.Item>
        ))}
      </Timeline>
      <Text size="sm" fw={550} mt="sm">
        {state === "active"
          ? `Still at ${nameStep(step ?? "")}${
            wake_at ? ` until ${formatShort(wake_at, zone)}` : ""
          }`
          : `Ended: ${(reason ?? "completed").replaceAll("_", " ")}`}
      </Text>
      <MailModal mail={mail} close={() => setMail(undefined)} />
    </section>
  );
}

const refusals: Readonly<Record<string, string>> = {
  not_triggered: "No event meets the tests of the trigger.",
  condition: "They do not meet the entry condition.",
  already_inside: "They are already inside.",
  entered_before: "They entered before, and the entry allows it only once.",
  too_soon: "They entered before, and not enough time has passed since.",
  holdout: "They are held out.",
};

/** Says why a customer does not enter. */
function describeRefusal(reason: string): string {
  return refusals[reason] ?? reason.replaceAll("_", " ");
}

function Would({ visit, show }: { visit: Visit; show: (mail: Mail) => void }) {
  const { would } = visit;
  if (would === undefined) return null;
  const mail = readMail(would);
  const failure = (would.rendered as { error?: string } | null | undefined)?.error;
  if (failure !== undefined) return <Text size="sm" c="red">{failure}</Text>;
  if (mail === undefined) {
    return <Text size="xs" ff="monospace" className="break-anywhere">{JSON.stringify(would)}</Text>;
  }
  return (
    <Button variant="light" size="compact-sm" mt={4} onClick={() => show(mail)}>
      Show “{mail.subject}”
    </Button>
  );
}

/** Reads the mail of a simulated step; undefined for other effects. */
function readMail(would: Record<string, unknown>): Mail | undefined {
  const rendered = would.rendered as Partial<Mail> | null | undefined;
  if (typeof rendered?.subject !== "string") return undefined;
  return { subject: rendered.subject, html: rendered.html ?? null, text: rendered.text ?? null };
}

/** A mail as the customer would get it. */
function MailModal({ mail, close }: { mail: Mail | undefined; close: () => void }) {
  return (
    <Modal
      opened={mail !== undefined}
      onClose={close}
      title={mail?.subject || "Email"}
      size="xl"
    >
      {mail && (
        <Stack gap="xs">
          {mail.html === null
            ? <Text size="sm" className="pre-wrap">{mail.text}</Text>
            : <MailFrame html={mail.html} title="Email as the customer would get it" />}
          <Text size="xs" c="dimmed">Images of other hosts are not loaded here.</Text>
        </Stack>
      )}
    </Modal>
  );
}
