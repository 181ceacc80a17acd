import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { useFilters } from "../../url/use_filters.ts";

/** In the address of a preview without a customer. */
const nobody = "none";
/** Newest customers among which one with an address is sought. */
const mostCustomers = 10;

interface ShownCustomer {
  /** Undefined for a preview without a customer. */
  customerId: string | undefined;
  /** False until the newest customer has been read, who is shown until another one is chosen. */
  isKnown: boolean;
  choose: (customerId: string | undefined) => void;
}

/** The customer whose values a preview has: the one in the address, or else the newest with an address. */
export function useShownCustomer(): ShownCustomer {
  const api = useApi();
  const { id: workspaceId } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const { customer_id: chosen } = filters;
  const newest = useQuery({
    queryKey: [workspaceId, "newest customer with an address"],
    queryFn: async ({ signal }) => {
      const { data } = await api.call("GET /customers", {
        query: { limit: mostCustomers },
        signal,
      });
      return data.find(({ email }) => email !== null && email.trim() !== "")?.id ?? null;
    },
    enabled: chosen === undefined,
    // New customers must not change the preview while it is read.
    staleTime: Infinity,
    retry: false,
  });
  const choose = (id: string | undefined) => setFilters({ customer_id: id ?? nobody });
  if (chosen === nobody) return { customerId: undefined, isKnown: true, choose };
  if (chosen !== undefined) return { customerId: chosen, isKnown: true, choose };
  return { customerId: newest.data ?? undefined, isKnown: !newest.isPending, choose };
}
