import { Tabs } from "@mantine/core";
import { CodeView } from "../../components/code_view.tsx";
import { useServices } from "../../services.ts";
import { makeSnippets } from "./snippets.ts";

export function SnippetTabs({ apiKey }: { apiKey: string }) {
  const { config } = useServices();
  const snippets = makeSnippets({ baseUrl: config.baseUrl, key: apiKey });
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="sm">
        {snippets.map(({ value, label }) => <Tabs.Tab key={value} value={value}>{label}</Tabs.Tab>)}
      </Tabs.List>
      {snippets.map(({ value, label, language, code }) => (
        <Tabs.Panel key={value} value={value}>
          <CodeView code={code} language={language} label={`First event with ${label}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
