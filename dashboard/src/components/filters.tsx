import type { ReactNode } from "react";

/** What narrows a list: side by side, on a phone two in a row. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className="filters" role="search">{children}</div>;
}
