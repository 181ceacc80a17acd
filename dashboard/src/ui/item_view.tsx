import type { ReactNode } from "react";
import { ErrorState } from "./error_state.tsx";
import { LoadingPage } from "./skeletons.tsx";

interface ItemViewProps<T> {
  item: {
    data: T | undefined;
    error: Error | null;
    refetch: () => unknown;
  };
  children: (data: T) => ReactNode;
  /** Shown while loading. @default the skeleton of a whole page */
  skeleton?: ReactNode;
}

/** Shows a resource: a skeleton while it loads, an error, or its content. */
export function ItemView<T>({ item, children, skeleton }: ItemViewProps<T>) {
  if (item.data !== undefined) {
    return (
      <>
        {item.error && <ErrorState error={item.error} retry={item.refetch} />}
        {children(item.data)}
      </>
    );
  }
  if (item.error) return <ErrorState error={item.error} retry={item.refetch} />;
  return skeleton ?? <LoadingPage />;
}
