import { createContext, type RefObject, useContext } from "react";
import type { ReadOptions } from "../api/conditions.ts";
import type { NameOf } from "./describe.ts";

/** Settings that all parts of one builder share. */
export interface BuilderSettings {
  options: ReadOptions;
  /** Name of the listed event in a filter of events, for suggestions; empty for any. */
  event: string;
  nameOf: NameOf;
  /** Path of the condition that gets the focus when it appears. */
  focus: RefObject<string | null>;
}

const SettingsContext = createContext<BuilderSettings | null>(null);
export const SettingsProvider = SettingsContext.Provider;

export function useSettings(): BuilderSettings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error("Cannot use a part of a condition outside of its builder");
  return settings;
}
