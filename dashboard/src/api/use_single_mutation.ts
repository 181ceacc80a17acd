import {
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from "@tanstack/react-query";
import { useRef } from "react";

/**
 * Like `useMutation`, but a call made while one is running joins it, so that a double click acts
 * once.
 */
export function useSingleMutation<Output, Input = void>(
  options: UseMutationOptions<Output, Error, Input>,
): UseMutationResult<Output, Error, Input> {
  const running = useRef<Promise<Output>>(undefined);
  const mutation = useMutation(options);
  const mutateAsync: typeof mutation.mutateAsync = (...call) => {
    running.current ??= mutation.mutateAsync(...call).finally(() => {
      running.current = undefined;
    });
    return running.current;
  };
  const mutate: typeof mutation.mutate = (...call) => {
    // The state of the mutation has the error.
    if (running.current === undefined) mutateAsync(...call).catch(() => {});
  };
  return { ...mutation, mutate, mutateAsync };
}
