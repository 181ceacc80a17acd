import { Alert, Code, Group, Stack } from "@mantine/core";
import { KeyAsteriskIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import { CopyTextButton } from "./copy_text_button.tsx";

interface SecretPanelProps {
  title: string;
  secret: string;
  children?: ReactNode;
}

/** A secret that is shown only once. */
export function SecretPanel({ title, secret, children }: SecretPanelProps) {
  return (
    <Alert color="yellow" icon={<KeyAsteriskIcon />} title={title}>
      <Stack gap="sm">
        <div>Copy it now. You won’t be able to see it again.</div>
        <Group gap="xs" wrap="nowrap" align="center">
          <Code className="break-anywhere" fz="sm" p={8} flex={1} data-testid="secret">
            {secret}
          </Code>
          <CopyTextButton value={secret} />
        </Group>
        {children}
      </Stack>
    </Alert>
  );
}
