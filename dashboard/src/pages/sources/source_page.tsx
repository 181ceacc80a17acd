import { Page } from "../../components/page.tsx";

export function SourcePage() {
  return <Page title="SourcePage">…</Page>;
}
