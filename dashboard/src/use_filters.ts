import { useNavigate, useSearch } from "@tanstack/react-router";

/** The filters in the page's address, and a way to change some of them. */
export function useFilters() {
  const filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const setFilters = (changes: Partial<typeof filters>) => {
    void navigate({
      to: ".",
      search: (current: typeof filters) => ({ ...current, ...changes }),
      replace: true,
    });
  };
  return { filters, setFilters };
}
