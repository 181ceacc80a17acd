import { Alert, Button, Code, CopyButton, Group, Stack } from "@mantine/core";
import { CheckIcon, CopyIcon, KeyAsteriskIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";

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
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button
                size="xs"
                variant="default"
                leftSection={copied ? <CheckIcon /> : <CopyIcon />}
                onClick={copy}
              >
                {copied ? "Copied" : "Copy"}
              </Button>
            )}
          </CopyButton>
        </Group>
        {children}
      </Stack>
    </Alert>
  );
}
