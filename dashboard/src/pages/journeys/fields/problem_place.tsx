import { Alert, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { isSame } from "../model/is_same.ts";
import { describeProblem, type Problem } from "../model/problems.ts";
import { PlaceContext } from "./use_message.ts";

interface ProblemPlaceProps {
  /** Path of the part in the definition. */
  path: readonly (string | number)[];
  problems: readonly Problem[];
  /** The fields of the part, which show their own problems. */
  children: ReactNode;
}

/** The fields of a part, below those of its problems that no field shows. */
export function ProblemPlace({ path, problems, children }: ProblemPlaceProps) {
  const [shown, setShown] = useState<ReadonlyMap<string, readonly Problem[]>>(new Map());
  const report = useCallback((component: string, own: readonly Problem[]) => {
    setShown((all) =>
      isSame(all.get(component) ?? [], own) ? all : new Map(all).set(component, own)
    );
  }, []);
  const place = useMemo(() => ({ path, problems, report }), [path.join("\n"), problems]);
  const atFields = [...shown.values()].flat();
  const left = problems.filter((problem) => !atFields.some((other) => isSame(other, problem)));
  return (
    <PlaceContext value={place}>
      {left.length > 0 && (
        <Alert color="red" icon={<AlertIcon />} p="xs">
          {left.map((problem) => (
            <Text key={describeProblem(problem)} size="sm" className="break-anywhere">
              {describeProblem(problem)}
            </Text>
          ))}
        </Alert>
      )}
      {children}
    </PlaceContext>
  );
}
