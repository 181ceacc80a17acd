import { useDebouncedValue } from "@mantine/hooks";
import { FileIcon, type Icon, PlusIcon } from "@primer/octicons-react";
import { useLocation } from "@tanstack/react-router";
import type { Role, SearchHit } from "../api/types.ts";
import { listRecentPages } from "../api/recent_pages.ts";
import { useApiItem } from "../api/use_api.ts";
import { useMay } from "../api/workspace.ts";
import type { NavigationEntry } from "../ui/navigation_entry.ts";
import { useRecentOwner } from "../ui/use_recent_page.ts";
import { describeHit, listEmailLinks } from "./describe_hit.ts";
import { hasWords } from "./has_words.ts";
import { pageWords } from "./page_words.ts";
import { paletteActions } from "./palette_actions.ts";
import { hitTypes, linkOfHit, type PageLink } from "./search_links.ts";
import { useOwnActions } from "./use_own_actions.ts";
import { useSavedChoices } from "./use_saved_choices.ts";

/** Most recent pages that are shown. */
const mostRecent = 8;
/** Most saved views, questions and boards that are shown. */
const mostSaved = 10;

/** Something that the search offers. */
export interface PaletteChoice extends Partial<PageLink> {
  key: string;
  title: string;
  subtitle: string | null;
  /** Heading that it stands below. */
  group: string;
  icon: Icon;
  /** Name of the draft of the dialog that the page opens. */
  dialog?: string;
  /** Acts on the page that is open; set instead of a path. */
  run?: () => void;
}

/** Choices below a heading. */
export interface PaletteGroup {
  label: string;
  choices: readonly PaletteChoice[];
}

/** Returns what the search offers for a text. */
export function usePaletteChoices(
  text: string,
  pages: readonly NavigationEntry[],
): { groups: readonly PaletteGroup[]; isSearching: boolean } {
  const [asked] = useDebouncedValue(text, 150);
  const isAsked = asked.length >= 2;
  const found = useApiItem("GET /search", { query: { q: asked } }, { enabled: isAsked });
  const may: Record<Role, boolean> = {
    viewer: true,
    member: useMay("member"),
    admin: useMay("admin"),
    owner: useMay("owner"),
  };
  const readable = pages.filter(({ role = "viewer" }) => may[role]);
  const recent = useRecent(pages, readable);
  const recentPaths = recent.map(({ path }) => path);
  const pageChoices = readable
    .filter(({ path }) => text !== "" || !recentPaths.includes(path))
    .map(({ label, path, icon }): PaletteChoice => ({
      key: `page ${path}`,
      title: label,
      subtitle: null,
      group: "Pages",
      icon,
      path,
    }))
    .filter(({ title, path = "" }) => hasWords(`${title} ${pageWords[path] ?? ""}`, text))
    // Titles come before other words.
    .toSorted((a, b) => Number(hasWords(b.title, text)) - Number(hasWords(a.title, text)));
  const saved = useSavedChoices(readable, { enabled: isAsked && text !== "" })
    .filter(({ title, group }) => hasWords(`${title} ${group}`, text))
    .slice(0, mostSaved)
    .map((choice) => ({ ...choice, icon: findIcon(choice.path, pages) }));
  const hits = isAsked && text !== ""
    ? (found.data?.data ?? []).flatMap((hit) => listHitChoices(hit, { typed: asked, pages }))
    : [];
  const choices = [
    ...text === "" ? recent : [],
    ...pageChoices,
    ...useActions(text, may),
    ...saved,
    ...hits,
  ];
  return { groups: listGroups(choices), isSearching: text !== asked || found.isFetching };
}

/** Returns the groups of choices, in the order in which they begin. */
function listGroups(choices: readonly PaletteChoice[]): PaletteGroup[] {
  return [...new Set(choices.map(({ group }) => group))].map((label) => ({
    label,
    choices: choices.filter(({ group }) => group === label),
  }));
}

/** Returns the icon of the page of the navigation that a path leads to. */
function findIcon(path: string, pages: readonly NavigationEntry[]): Icon {
  return findParent(path, pages)?.icon ?? FileIcon;
}

/** Things to begin, for those who may, and the actions of the user's menu. */
function useActions(text: string, may: Record<Role, boolean>): PaletteChoice[] {
  const shared = { subtitle: null, group: "Actions" };
  const begin = paletteActions
    .filter(({ role, title }) => may[role] && hasWords(`${title} create add`, text))
    .map((action) => ({ ...shared, ...action, key: action.title, icon: PlusIcon }));
  const own = useOwnActions()
    .filter(({ title, words }) => hasWords(`${title} ${words}`, text))
    .map(({ title, icon, run }) => ({ ...shared, key: title, title, icon, run }));
  return [...begin, ...own];
}

interface HitSearch {
  typed: string;
  pages: readonly NavigationEntry[];
}

/** Makes the choice of a hit, and those about the emails of a customer. */
function listHitChoices(hit: SearchHit, { typed, pages }: HitSearch): PaletteChoice[] {
  const link = linkOfHit(hit);
  return [
    {
      key: `${hit.type} ${hit.id ?? hit.title}`,
      title: hit.title,
      subtitle: describeHit(hit),
      group: hitTypes[hit.type].label,
      icon: findIcon(link.path, pages),
      ...link,
    },
    ...listEmailLinks(hit, typed).map(({ title, link }) => ({
      key: `${title} ${hit.id}`,
      title,
      subtitle: null,
      group: hitTypes.send.label,
      icon: findIcon(link.path, pages),
      ...link,
    })),
  ];
}

/** Pages that this person opened last, without the one that is open and those they may not read. */
function useRecent(
  pages: readonly NavigationEntry[],
  readable: readonly NavigationEntry[],
): PaletteChoice[] {
  const owner = useRecentOwner();
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/^\/w\/[^/]+/, "") });
  if (owner === undefined) return [];
  return listRecentPages(owner).filter(({ path }) => path !== here).slice(0, mostRecent)
    .flatMap(({ path, search, title }): PaletteChoice[] => {
      const parent = findParent(path, pages);
      if (parent && !readable.includes(parent)) return [];
      const isPage = parent?.path === path;
      return [{
        key: `recent ${path} ${JSON.stringify(search)}`,
        title: isPage ? parent.label : title,
        subtitle: isPage ? null : parent?.label ?? null,
        group: "Recent",
        icon: parent?.icon ?? FileIcon,
        path,
        search,
      }];
    });
}

/** Returns the page of the navigation that a path is, or is below of. */
function findParent(path: string, pages: readonly NavigationEntry[]): NavigationEntry | undefined {
  return pages
    .filter((page) => path === page.path || (page.path !== "" && path.startsWith(`${page.path}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}
