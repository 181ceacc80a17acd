import { Container } from "@mantine/core";
import type { ReactNode } from "react";
import { isMissing } from "../api/api_client.ts";
import { ErrorState } from "./error_state.tsx";
import { MissingPage } from "./fallback_pages.tsx";
import { LoadingPage } from "./skeletons.tsx";

interface ItemViewProps<T> {
  item: {
    data: T | undefined;
    error: Error | null;
    refetch: () => unknown;
  };
  children: (data: T) => ReactNode;
  /** Shown while loading. Leave out for a whole page. */
  skeleton?: ReactNode;
}

/** Shows a resource: a skeleton while it loads, an error, which may fill the page, or its content. */
export function ItemView<T>({ item, children, skeleton }: ItemViewProps<T>) {
  if (item.data !== undefined) {
    return (
      <>
        {item.error && <ErrorState error={item.error} retry={item.refetch} />}
        {children(item.data)}
      </>
    );
  }
  if (item.error && skeleton !== undefined) {
    return <ErrorState error={item.error} retry={item.refetch} />;
  }
  if (isMissing(item.error)) return <MissingPage />;
  if (item.error) {
    return (
      <Container size="sm" py={80}>
        <ErrorState error={item.error} retry={item.refetch} />
      </Container>
    );
  }
  return skeleton ?? <LoadingPage />;
}
