import { Page } from "../../components/page.tsx";

export function SourcesPage() {
  return <Page title="SourcesPage">…</Page>;
}
