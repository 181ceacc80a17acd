import { createContext, useContext, useId, useLayoutEffect } from "react";
import { messageAt, type Problem, problemAt } from "../model/problems.ts";

type Path = readonly (string | number)[];

interface Place {
  /** Path of the part in the definition. */
  path: Path;
  problems: readonly Problem[];
  /** Takes the problems that the fields of one component show. */
  report: (component: string, shown: readonly Problem[]) => void;
}

export const PlaceContext = createContext<Place>({ path: [], problems: [], report: () => {} });

/** Returns a function that finds the message for a field of the part being edited. */
export function useMessage(): (...path: Path) => string | undefined {
  const { path, problems, report } = useContext(PlaceContext);
  const component = useId();
  const shown: Problem[] = [];
  // Before the browser paints, so that no problem is seen twice.
  useLayoutEffect(() => report(component, shown));
  useLayoutEffect(() => () => report(component, []), []);
  return (...inner) => {
    const place = [...path, ...inner];
    const found = problemAt(problems, place);
    if (found !== undefined) shown.push(found);
    const message = messageAt(problems, place);
    return message && `${message[0]!.toUpperCase()}${message.slice(1)}`;
  };
}
