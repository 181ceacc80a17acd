import { useMantineColorScheme } from "@mantine/core";
import { themes } from "../ui/themes.ts";
import { useSignOut } from "../ui/use_sign_out.ts";

/** Something that a person does for themselves, without leaving the page for it. */
interface OwnAction {
  title: string;
  /** Other words that find it. */
  words: string;
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
      run: () => setColorScheme(value),
    })),
    { title: "Sign out", words: "log out logout", run: signOut },
  ];
}
