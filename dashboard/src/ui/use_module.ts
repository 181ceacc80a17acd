import { useQuery } from "@tanstack/react-query";
import { lateImport } from "./late_import.ts";

/**
 * Loads a heavy part of the page when it is first needed; returns undefined until then. It loads
 * beside the data. Suspense would delay both: React holds back suspended content for 300 ms.
 * @throws Error while rendering, if the module cannot be loaded.
 */
export function useModule<Module>(
  name: string,
  load: () => Promise<Module>,
): Module | undefined {
  const { data } = useQuery({
    queryKey: ["module", name],
    queryFn: () => lateImport(load),
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
    networkMode: "always",
    throwOnError: true,
  });
  return data;
}
