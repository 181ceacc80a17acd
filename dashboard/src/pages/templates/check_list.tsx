import { Anchor, Badge, Group, List, Text, Title } from "@mantine/core";
import { AlertIcon, CheckIcon } from "@primer/octicons-react";
import { useAttributeNames } from "../../conditions/use_suggestions.ts";
import { countOf } from "../../format/numbers.ts";
import { MarkedItem } from "../../ui/marked_item.tsx";
import { checkTemplate, type MailLink, type TemplateCheck } from "./template_checks.ts";
import type { Rendered } from "./use_preview.ts";
import { useShownCustomer } from "./use_shown_customer.ts";

/** Element that the count of problems leads to. */
const checksId = "template-checks";
/** Least pixels of a column of checks with nothing to fix. */
const fineWidth = 190;

/** The checks of a mail. Those with something to fix come first; if all is fine, the list is closed. */
export function CheckList({ rendered }: { rendered: Rendered }) {
  const checks = useChecks(rendered);
  const problems = checks.filter(({ isFine }) => !isFine);
  const fine = checks.filter(({ isFine }) => isFine);
  return (
    <section>
      <details open={problems.length > 0}>
        <summary id={checksId} className="plain-summary">
          <Group display="inline-flex" gap="xs">
            <Title order={3} size="h6">Checks</Title>
            <Badge color={problems.length > 0 ? "yellow" : "green"}>{countProblems(checks)}</Badge>
          </Group>
        </summary>
        <List spacing="xs" listStyleType="none" size="sm" my="xs">
          {problems.map(({ label, remedy }, index) => (
            <MarkedItem
              key={label + String(index)}
              icon={AlertIcon}
              color="yellow"
              label="Look at this"
            >
              {label}
              <Text size="xs" c="dimmed" className="break-anywhere">{remedy}</Text>
            </MarkedItem>
          ))}
        </List>
        <List spacing="xs" listStyleType="none" size="sm" style={{ columnWidth: fineWidth }}>
          {fine.map(({ label }) => (
            <MarkedItem key={label} icon={CheckIcon} color="green" label="Fine">{label}</MarkedItem>
          ))}
        </List>
      </details>
    </section>
  );
}

/** The number of problems of a mail, which leads to its checks where they are not beside the editor. */
export function ProblemsLink({ rendered }: { rendered: Rendered }) {
  const checks = useChecks(rendered);
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      hiddenFrom="lg"
      onClick={() => document.getElementById(checksId)?.focus()}
    >
      {countProblems(checks)}
    </Anchor>
  );
}

function useChecks(rendered: Rendered): TemplateCheck[] {
  const { customerId } = useShownCustomer();
  const attributeNames = useAttributeNames();
  return checkTemplate(rendered, { hasCustomer: customerId !== undefined, attributeNames });
}

function countProblems(checks: readonly TemplateCheck[]): string {
  const count = checks.filter(({ isFine }) => !isFine).length;
  return count === 0 ? "No problems" : countOf(count, "problem");
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
