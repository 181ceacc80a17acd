import { Tabs } from "@mantine/core";
import { CodeView } from "../../ui/code_view.tsx";

const nodeCode = `import { createHmac, timingSafeEqual } from "node:crypto";

const secret = process.env.WEBHOOK_SECRET; // whsec_…

export function verify(rawBody, signature) {
  const expected = createHmac("sha256", secret).update(rawBody).digest();
  const received = Buffer.from(signature ?? "", "hex"); // X-Service-Signature
  return received.length === expected.length && timingSafeEqual(received, expected);
}`;

const standardCode = `// npm install standardwebhooks
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

// Throws if the signature is wrong or older than five minutes.
const message = webhook.verify(rawBody, {
  "webhook-id": request.headers.get("webhook-id"),
  "webhook-timestamp": request.headers.get("webhook-timestamp"),
  "webhook-signature": request.headers.get("webhook-signature"),
});`;

const pythonCode = `import hashlib, hmac, os

secret = os.environ["WEBHOOK_SECRET"].encode()  # whsec_…

def verify(raw_body: bytes, signature: str) -> bool:  # X-Service-Signature
    expected = hmac.new(secret, raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)`;

/** Code that verifies signatures, ready to paste. */
export function VerifySnippet() {
  return (
    <Tabs defaultValue="standard" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="standard">Standard Webhooks</Tabs.Tab>
        <Tabs.Tab value="node">Node</Tabs.Tab>
        <Tabs.Tab value="python">Python</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="standard">
        <CodeView
          code={standardCode}
          language="javascript"
          label="Verification with Standard Webhooks"
        />
      </Tabs.Panel>
      <Tabs.Panel value="node">
        <CodeView code={nodeCode} language="javascript" label="Verification with Node" />
      </Tabs.Panel>
      <Tabs.Panel value="python">
        <CodeView code={pythonCode} language="python" label="Verification with Python" />
      </Tabs.Panel>
    </Tabs>
  );
}
