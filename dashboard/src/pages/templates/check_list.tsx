import { List, Text, Title } from "@mantine/core";
import { AlertIcon, CheckIcon } from "@primer/octicons-react";
import { countOf } from "../../format/numbers.ts";
import { MarkedItem } from "../../ui/marked_item.tsx";
import type { MailLink, TemplateCheck } from "./template_checks.ts";

/** The checks of a mail, with what to fix. */
export function CheckList({ checks }: { checks: TemplateCheck[] }) {
  return (
    <section>
      <Title order={3} size="h6" mb="xs">Checks</Title>
      <List spacing="xs" listStyleType="none" size="sm">
        {checks.map(({ label, isFine, remedy }, index) => (
          <MarkedItem
            key={label + String(index)}
            icon={isFine ? CheckIcon : AlertIcon}
            color={isFine ? "green" : "yellow"}
            label={isFine ? "Fine" : "Look at this"}
          >
            {label}
            {remedy !== null && (
              <Text size="xs" c="dimmed" className="break-anywhere">{remedy}</Text>
            )}
          </MarkedItem>
        ))}
      </List>
    </section>
  );
}

/** Links of a mail, with their addresses. */
export function LinkList({ links }: { links: MailLink[] }) {
  if (links.length === 0) return null;
  return (
    <details>
      <summary className="plain-summary">{countOf(links.length, "link")}</summary>
      <List size="sm" mt="xs" spacing={4}>
        {links.map(({ href, text }, index) => (
          <List.Item key={index}>
            <bdi>{text || "No text"}</bdi>
            <Text size="xs" c="dimmed" ff="monospace" className="break-anywhere">{href}</Text>
          </List.Item>
        ))}
      </List>
    </details>
  );
}
