import "../../theme/diff.css";
import { Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import type { TemplateVersion } from "../../api/types.ts";
import { compareLines, type DiffLine } from "./diff_lines.ts";

interface VersionDifferenceProps {
  before: TemplateVersion;
  after: TemplateVersion;
}

/** The difference between two versions: the subject, the body as it was written, and the text. */
export function VersionDifference({ before, after }: VersionDifferenceProps) {
  const parts = [
    { label: "Subject", from: before.subject, to: after.subject },
    { label: "Body", from: writtenBody(before), to: writtenBody(after) },
    { label: "Text part", from: before.text ?? "", to: after.text ?? "" },
  ];
  const changed = parts.filter(({ from, to }) => from !== to);
  if (changed.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {before.version === after.version
          ? "Choose two different versions to see what changed."
          : `Versions ${before.version} and ${after.version} have the same subject, body and text part.`}
      </Text>
    );
  }
  return (
    <Stack>
      {changed.map(({ label, from, to }) => (
        <section key={label}>
          <Title order={3} size="h6" mb={4}>{label}</Title>
          <ol className="diff" aria-label={`Changes of ${label}`}>
            {compareLines(from, to).map((line, index) => <Line key={index} line={line} />)}
          </ol>
        </section>
      ))}
    </Stack>
  );
}

/** Returns what the author wrote; the text part alone is compared where there is nothing else. */
function writtenBody({ mjml, html }: TemplateVersion): string {
  return mjml ?? html ?? "";
}

const signs = { added: "+", removed: "−", same: " ", skipped: "⋯" } as const;
const words = { added: "Added: ", removed: "Removed: ", same: "", skipped: "" } as const;

function Line({ line: { kind, text } }: { line: DiffLine }) {
  const Content = kind === "added" ? "ins" : kind === "removed" ? "del" : "span";
  return (
    <li className={`diff-line diff-${kind}`}>
      <span className="diff-sign" aria-hidden>{signs[kind]}</span>
      <Content>
        <VisuallyHidden component="span">{words[kind]}</VisuallyHidden>
        {text}
      </Content>
    </li>
  );
}
