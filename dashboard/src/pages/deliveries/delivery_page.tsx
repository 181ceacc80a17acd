import { Page } from "../../components/page.tsx";

export function DeliveryPage() {
  return <Page title="DeliveryPage">…</Page>;
}
