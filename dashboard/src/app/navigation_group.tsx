import { UnstyledButton } from "@mantine/core";
import { ChevronDownIcon, ChevronRightIcon } from "@primer/octicons-react";
import { type ReactNode, useState } from "react";

const storedKey = "signalpost-folded-groups";

interface NavigationGroupProps {
  label: string;
  children: ReactNode;
}

/** A group of the navigation, which folds. The browser remembers the folded ones. */
export function NavigationGroup({ label, children }: NavigationGroupProps) {
  const [isFolded, setFolded] = useState(() => readFolded().includes(label));
  const toggle = () => {
    const others = readFolded().filter((each) => each !== label);
    localStorage.setItem(storedKey, JSON.stringify(isFolded ? others : [...others, label]));
    setFolded(!isFolded);
  };
  return (
    <>
      <UnstyledButton className="nav-group" aria-expanded={!isFolded} onClick={toggle}>
        {label}
        {isFolded ? <ChevronRightIcon size={12} /> : <ChevronDownIcon size={12} />}
      </UnstyledButton>
      {!isFolded && children}
    </>
  );
}

function readFolded(): string[] {
  try {
    const folded: unknown = JSON.parse(localStorage.getItem(storedKey) ?? "[]");
    return Array.isArray(folded) ? folded : [];
  } catch {
    return [];
  }
}
