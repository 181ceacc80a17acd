import { createContext, useContext } from "react";
import { messageAt, type Problem } from "../model/problems.ts";

type Path = readonly (string | number)[];

interface Place {
  /** Path of the part in the definition. */
  path: Path;
  problems: readonly Problem[];
}

const PlaceContext = createContext<Place>({ path: [], problems: [] });
export const PlaceProvider = PlaceContext.Provider;

/** Returns a function that finds the message for a field of the part being edited. */
export function useMessage(): (...path: Path) => string | undefined {
  const { path, problems } = useContext(PlaceContext);
  return (...inner) => {
    const message = messageAt(problems, [...path, ...inner]);
    return message && `${message[0]!.toUpperCase()}${message.slice(1)}`;
  };
}
