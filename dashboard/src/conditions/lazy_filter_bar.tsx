import { Skeleton } from "@mantine/core";
import type { ComponentProps } from "react";
import { useModule } from "../ui/use_module.ts";
import type { FilterBar as LoadedFilterBar } from "./filter_bar.tsx";

/** The condition of a list. Loads after the page: the list must not wait for its builder. */
export function LazyFilterBar(props: ComponentProps<typeof LoadedFilterBar>) {
  const loaded = useModule("filter_bar", () => import("./filter_bar.tsx"));
  return loaded ? <loaded.FilterBar {...props} /> : <Skeleton h={36} w={100} />;
}
