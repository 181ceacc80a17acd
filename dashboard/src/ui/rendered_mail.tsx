import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { FieldList } from "./field_list.tsx";
import { MailFrame } from "./mail_frame.tsx";

interface RenderedMailProps {
  mail: { subject: string; html: string | null; text: string | null };
  /** Shown above the subject. */
  fields: readonly (readonly [label: string, value: string])[];
  /** Says for whom it is rendered. */
  children: ReactNode;
  /** Of the frame, in pixels. */
  height?: number | undefined;
}

/** A mail with the lines above it, as a program for mails shows it. */
export function RenderedMail({ mail, fields, children, height }: RenderedMailProps) {
  const lines = [...fields, ["Subject", mail.subject] as const];
  return (
    <>
      <FieldList
        fields={lines.map(([label, value]) => [
          label,
          <bdi key={label} className="whole-line">{value}</bdi>,
        ])}
      />
      <Text size="xs" c="dimmed" my="sm">{children}</Text>
      {mail.html === null
        ? <Text component="pre" size="sm" className="mail-text">{mail.text ?? ""}</Text>
        : <MailFrame html={mail.html} title="The email" {...height && { height }} />}
    </>
  );
}
