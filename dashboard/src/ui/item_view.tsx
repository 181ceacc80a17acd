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
  /** In place of a whole page's skeleton. */
  skeleton?: ReactNode;
}

/** One resource once it is there; until then a skeleton, or why it is not. */
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
