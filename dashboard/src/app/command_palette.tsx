import { Badge, Box, Group, Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { SearchIcon } from "@primer/octicons-react";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Role, SearchHit } from "../api/types.ts";
import { listRecentPages } from "../api/recent_pages.ts";
import { useApiItem } from "../api/use_api.ts";
import { useMay, useWorkspace } from "../api/workspace.ts";
import type { DialogProps } from "../ui/form_modal.tsx";
import type { NavigationEntry } from "../ui/navigation_entry.ts";
import { useRecentOwner } from "../ui/use_recent_page.ts";
import { pageWords } from "./page_words.ts";
import { paletteActions } from "./palette_actions.ts";
import { useOwnActions } from "./use_own_actions.ts";
import { useSavedChoices } from "./use_saved_choices.ts";
import { describeHit, listEmailLinks } from "./describe_hit.ts";
import { hasWords } from "./has_words.ts";
import { hitTypes, linkOfHit, type PageLink } from "./search_links.ts";

/** Most recent pages that are shown. */
const mostRecent = 8;
/** Most saved views, questions and boards that are shown. */
const mostSaved = 10;

interface Choice extends Partial<PageLink> {
  key: string;
  title: string;
  subtitle: string | null;
  group: string;
  /** Name of the draft of the dialog that the page opens. */
  dialog?: string;
  /** Acts on the page that is open; set instead of a path. */
  run?: () => void;
}

interface CommandPaletteProps extends DialogProps {
  pages: readonly NavigationEntry[];
  /** The search as typed, also before the palette was loaded. */
  text: string;
  setText: (text: string) => void;
}

/** Finds pages, actions, and anything by its ID or a part of its name. */
export default function CommandPalette(
  { isOpen, close, pages, text, setText }: CommandPaletteProps,
) {
  const { choices, isSearching } = useChoices(text.trim(), pages);
  const { id } = useWorkspace();
  const navigate = useNavigate();
  const open = ({ path, search = {}, dialog, run }: Choice) => {
    close();
    if (run) return run();
    // The router knows the filters of literal paths only.
    void navigate({
      to: `/w/${id}${path}`,
      search: search as never,
      state: dialog === undefined ? {} : { dialog },
    });
  };
  const { active, setActive, onKeyDown } = useActive(text, { choices, open });
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      size="lg"
      removeScrollProps={{ removeScrollBar: false }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>
          <TextInput
            aria-label="Search"
            role="combobox"
            aria-expanded={choices.length > 0}
            aria-controls="palette-choices"
            aria-activedescendant={choices[active] && `palette-${active}`}
            placeholder="Search an ID, email, name or page"
            leftSection={<SearchIcon />}
            size="md"
            variant="unstyled"
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onFocus={({ currentTarget }) =>
              currentTarget.setSelectionRange(text.length, text.length)}
            onKeyDown={onKeyDown}
          />
          <Box id="palette-choices" role="listbox" aria-label="Results" className="palette">
            {choices.map((choice, index) => (
              <ChoiceRow
                key={choice.key}
                choice={choice}
                index={index}
                isActive={index === active}
                open={() => open(choice)}
                point={() => setActive(index)}
              />
            ))}
          </Box>
          <Text size="sm" c="dimmed" p="md" role="status" hidden={choices.length > 0}>
            {isSearching
              ? "Searching…"
              : "Nothing found. Enter a full ID, a part of a name, or the start of an email."}
          </Text>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface Choosing {
  choices: readonly Choice[];
  open: (choice: Choice) => void;
}

/** The choice that the arrow keys reached, from the first after each change of the text. */
function useActive(text: string, { choices, open }: Choosing) {
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [text]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices[active];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      setActive((active + step + choices.length) % choices.length);
    } else if (event.key === "Enter" && chosen !== undefined) {
      event.preventDefault();
      open(chosen);
    }
  };
  return { active, setActive, onKeyDown };
}

interface ChoiceRowProps {
  choice: Choice;
  index: number;
  isActive: boolean;
  open: () => void;
  point: () => void;
}

function ChoiceRow({ choice, index, isActive, open, point }: ChoiceRowProps) {
  return (
    <Box
      id={`palette-${index}`}
      role="option"
      aria-selected={isActive}
      className="palette-choice"
      onClick={open}
      onPointerMove={point}
      ref={(element: HTMLDivElement | null) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
    >
      <Group justify="space-between" wrap="nowrap">
        <Box style={{ minWidth: 0 }}>
          <Text size="sm" truncate dir="auto">{choice.title}</Text>
          {choice.subtitle && (
            <Text size="xs" c="dimmed" truncate dir="auto">{choice.subtitle}</Text>
          )}
        </Box>
        <Badge color="gray">{choice.group}</Badge>
      </Group>
    </Box>
  );
}

function useChoices(text: string, pages: readonly NavigationEntry[]) {
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
  const recentChoices = useRecent(pages, readable);
  const recentPaths = recentChoices.map(({ path }) => path);
  const pageChoices = readable.filter(({ path }) => text !== "" || !recentPaths.includes(path)).map(
    ({ label, path }): Choice => ({
      key: `page ${path}`,
      title: label,
      subtitle: null,
      group: "Page",
      path,
    }),
  ).filter(({ title, path = "" }) => hasWords(`${title} ${pageWords[path] ?? ""}`, text))
    // Titles come before other words.
    .toSorted((a, b) => Number(hasWords(b.title, text)) - Number(hasWords(a.title, text)));
  const actionChoices = paletteActions
    .filter(({ role, title }) => may[role] && hasWords(`${title} create add`, text))
    .map((action): Choice => ({ ...action, key: action.title, subtitle: null, group: "Action" }));
  const ownChoices = useOwnActions()
    .filter(({ title, words }) => hasWords(`${title} ${words}`, text))
    .map(({ title, run }): Choice => ({ key: title, title, subtitle: null, group: "Action", run }));
  const savedChoices: Choice[] = useSavedChoices(readable, { enabled: isAsked && text !== "" })
    .filter(({ title, group }) => hasWords(`${title} ${group}`, text))
    .slice(0, mostSaved);
  const hits = isAsked && text !== ""
    ? (found.data?.data ?? []).flatMap((hit) => listHitChoices(hit, asked))
    : [];
  const choices = [
    ...text === "" ? recentChoices : [],
    ...pageChoices,
    ...actionChoices,
    ...ownChoices,
    ...savedChoices,
    ...hits,
  ];
  return { choices, isSearching: text !== asked || found.isFetching };
}

/** Makes the choice of a hit, and those about the emails of a customer. */
function listHitChoices(hit: SearchHit, typed: string): Choice[] {
  return [
    {
      key: `${hit.type} ${hit.id ?? hit.title}`,
      title: hit.title,
      subtitle: describeHit(hit),
      group: hitTypes[hit.type].label,
      ...linkOfHit(hit),
    },
    ...listEmailLinks(hit, typed).map(({ title, link }) => ({
      key: `${title} ${hit.id}`,
      title,
      subtitle: null,
      group: "Sends",
      ...link,
    })),
  ];
}

/** Pages that this person opened last, without the one that is open and those they may not read. */
function useRecent(
  pages: readonly NavigationEntry[],
  readable: readonly NavigationEntry[],
): Choice[] {
  const owner = useRecentOwner();
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/^\/w\/[^/]+/, "") });
  if (owner === undefined) return [];
  return listRecentPages(owner).filter(({ path }) => path !== here).slice(0, mostRecent)
    .flatMap(({ path, search, title }): Choice[] => {
      const parent = findParent(path, pages);
      if (parent && !readable.includes(parent)) return [];
      const isPage = parent?.path === path;
      const subtitle = isPage ? null : parent?.label ?? null;
      const key = `recent ${path} ${JSON.stringify(search)}`;
      return [{
        key,
        title: isPage ? parent.label : title,
        subtitle,
        group: "Recent",
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
