import { Group, Title } from "@mantine/core";
import { CheckCircleFillIcon } from "@primer/octicons-react";

/** A tick, if something is done. */
export function DoneMark({ isDone }: { isDone: boolean | undefined }) {
  if (!isDone) return null;
  return <CheckCircleFillIcon aria-label="Done" fill="var(--mantine-color-teal-6)" />;
}

interface StepTitleProps {
  isDone: boolean | undefined;
  children: string;
}

/** The heading of a step, with a tick when it is done. */
export function StepTitle({ isDone, children }: StepTitleProps) {
  return (
    <Group gap="xs">
      <Title order={2} size="h4">{children}</Title>
      <DoneMark isDone={isDone} />
    </Group>
  );
}
