import { useQuery } from "@tanstack/react-query";

/**
 * A heavy part of the page, loaded when it is first needed; undefined until then. Asked for while the
 * data is, and shown as soon as both are there: what suspends is kept back by React for 300 ms.
 * @throws Error while rendering, when it cannot be loaded.
 */
export function useModule<Module>(
  name: string,
  load: () => Promise<Module>,
): Module | undefined {
  const { data } = useQuery({
    queryKey: ["module", name],
    queryFn: load,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    networkMode: "always",
    throwOnError: true,
  });
  return data;
}
