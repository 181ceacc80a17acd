import type { Language } from "../../ui/code_view.tsx";

export interface Snippet {
  value: string;
  label: string;
  language: Language;
  code: string;
}

const sampleEvent = {
  external_id: "user-1",
  name: "order_created",
  properties: { order_id: "A-1001", total: 49.9, currency: "EUR" },
};

/** Returns code that sends the first event, ready to paste. */
export function makeSnippets({ baseUrl, key }: { baseUrl: string; key: string }): Snippet[] {
  const url = `${baseUrl}/functions/v1/track`;
  return [
    {
      value: "curl",
      label: "curl",
      language: "bash",
      code: `curl ${url} \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(sampleEvent, null, 2).replaceAll("\n", "\n  ")}'`,
    },
    {
      value: "fetch",
      label: "fetch",
      language: "javascript",
      code: `await fetch("${url}", {
  method: "POST",
  headers: {
    "Authorization": "Bearer ${key}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    external_id: "user-1",
    name: "order_created",
    properties: { order_id: "A-1001", total: 49.9, currency: "EUR" },
  }),
});`,
    },
    {
      value: "segment",
      label: "Segment Node",
      language: "javascript",
      code: `import { Analytics } from "@segment/analytics-node";

const analytics = new Analytics({
  writeKey: "${key}",
  host: "${new URL(baseUrl).origin}",
  path: "/functions/v1/track/v1/batch",
});

analytics.track({
  userId: "user-1",
  event: "order_created",
  properties: { order_id: "A-1001", total: 49.9, currency: "EUR" },
});
await analytics.closeAndFlush();`,
    },
    {
      value: "browser",
      label: "Segment browser",
      language: "javascript",
      code: `import { AnalyticsBrowser } from "@segment/analytics-next";

const analytics = AnalyticsBrowser.load({
  writeKey: "${key}",
  cdnSettings: {
    integrations: {
      "Segment.io": { apiHost: "${new URL(baseUrl).host}/functions/v1/track/v1" },
    },
  },
});

analytics.identify("user-1", { email: "ada@example.com" });
analytics.track("order_created", { order_id: "A-1001", total: 49.9 });`,
    },
  ];
}
