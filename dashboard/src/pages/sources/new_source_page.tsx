import { Page } from "../../components/page.tsx";

export function NewSourcePage() {
  return <Page title="NewSourcePage">…</Page>;
}
