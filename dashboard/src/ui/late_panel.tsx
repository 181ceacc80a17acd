import { Skeleton } from "@mantine/core";
import { type ComponentType, lazy, Suspense } from "react";
import { lateImport } from "./late_import.ts";

/** Makes the contents of a tab, of which the code loads when the tab is first shown. */
export function latePanel<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async () => ({ default: await lateImport(load) }));
  return function LatePanel(props: Props) {
    return (
      <Suspense fallback={<Skeleton h={320} />}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
