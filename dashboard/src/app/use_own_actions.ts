import { useMantineColorScheme } from "@mantine/core";
import { type Icon, PaintbrushIcon, SignOutIcon } from "@primer/octicons-react";
import { themes } from "../ui/themes.ts";
import { useSignOut } from "../ui/use_sign_out.ts";

/** Something that a person does for themselves, without leaving the page for it. */
interface OwnAction {
  title: string;
  /** Other words that find it. */
  words: string;
  icon: Icon;
  run: () => void;
}

/** The actions of the user's menu that the search offers to everyone. */
export function useOwnActions(): OwnAction[] {
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return [
    ...themes.map(({ value, label }) => ({
      title: `${label} theme`,
      words: value === "auto" ? "mode auto" : "mode",
      icon: PaintbrushIcon,
      run: () => setColorScheme(value),
    })),
    { title: "Sign out", words: "log out logout", icon: SignOutIcon, run: signOut },
  ];
}
