import { Button, Center } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";

interface LoadMoreProps {
  list: {
    data: { pages: readonly unknown[] } | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
}

/** Loads the next page when scrolled into view, or on a click. */
export function LoadMore({ list }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  const isWanted = entry?.isIntersecting && hasNextPage && !isFetchNextPageError;
  // A page may arrive before its loading was shown: then only the number of pages tells.
  const pages = list.data?.pages.length;
  useEffect(() => {
    if (isWanted && !isFetchingNextPage) void list.fetchNextPage();
  }, [isWanted, isFetchingNextPage, pages]);
  if (!hasNextPage) return null;
  return (
    <Center p="sm" ref={ref}>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {isFetchNextPageError ? "Try again" : "Load more"}
      </Button>
    </Center>
  );
}
