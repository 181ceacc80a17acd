import type * as Mantine from "@mantine/core";
import {
  cloneElement,
  type ComponentType,
  createContext,
  type ReactElement,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";
import { makeSuggestionFilter } from "./make_suggestion_filter.ts";
import { Late } from "./late.tsx";
import { loadOverlays, useOverlays } from "./overlay_library.ts";
import { RestingInput } from "./resting_input.tsx";

// The parts of Mantine with these names, which load after the first page.

type Input = "Autocomplete" | "MultiSelect" | "NumberInput" | "Select" | "TagsInput";

/** A field that shows its value until its library is there. */
function makeInput<Name extends Input>(name: Name): (typeof Mantine)[Name] {
  const resting = {
    hasList: name !== "NumberInput",
    isChoice: name === "Select" || name === "MultiSelect",
  };
  function LateInput(props: object) {
    return (
      <Late resting={<RestingInput {...props} {...resting} />}>
        {(library) => {
          const Loaded = library[name] as ComponentType<object>;
          return <Loaded {...props} />;
        }}
      </Late>
    );
  }
  return LateInput as unknown as (typeof Mantine)[Name];
}

const LateAutocomplete = makeInput("Autocomplete");
export const MultiSelect = makeInput("MultiSelect");
export const NumberInput = makeInput("NumberInput");
export const Select = makeInput("Select");
export const TagsInput = makeInput("TagsInput");

/** A text with suggestions for it. */
export function Autocomplete(props: Mantine.AutocompleteProps) {
  const [isTyped, setTyped] = useState(false);
  const library = useOverlays();
  const filter = library &&
    makeSuggestionFilter(library.defaultOptionsFilter as Mantine.OptionsFilter, isTyped);
  const change = (text: string) => {
    setTyped(true);
    props.onChange?.(text);
  };
  const close = () => {
    setTyped(false);
    props.onDropdownClose?.();
  };
  return (
    <LateAutocomplete
      {...props}
      {...filter && { filter }}
      onChange={change}
      onDropdownClose={close}
    />
  );
}

type Panel = "Drawer" | "Modal";

/** Tells the panel around an open one that it is covered. */
const Cover = createContext<(isCovered: boolean) => void>(() => {});

function makePanel<Name extends Panel>(name: Name) {
  return function LatePanel(props: Mantine.ModalProps & Mantine.DrawerProps) {
    const library = useOverlays();
    const [isReady, setReady] = useState(false);
    const [isCovered, setCovered] = useState(false);
    const cover = useContext(Cover);
    // Before the panel is gone: until then, Esc does nothing to the one below.
    useLayoutEffect(() => {
      if (!props.opened) return;
      void loadOverlays();
      cover(true);
      return () => cover(false);
    }, [props.opened]);
    // It opens after it was there: otherwise it would not know what had the focus.
    useEffect(() => setReady(library !== undefined), [library]);
    if (library === undefined) return null;
    const Loaded = library[name] as ComponentType<typeof props>;
    return (
      <Cover value={setCovered}>
        {/* Esc closes only the one on top. */}
        <Loaded closeOnEscape={!isCovered} {...props} opened={props.opened && isReady} />
      </Cover>
    );
  };
}

export const Drawer = makePanel("Drawer");
export const Modal = makePanel("Modal");

export function Tooltip(props: Mantine.TooltipProps) {
  return <Late resting={props.children}>{(library) => <library.Tooltip {...props} />}</Late>;
}

function makePart(whole: "Menu" | "Popover", part: string) {
  return function LatePart(props: object) {
    const library = useOverlays();
    if (library === undefined) return null;
    const Loaded = (library[whole] as unknown as Record<string, ComponentType<object>>)[part]!;
    return <Loaded {...props} />;
  };
}

/** The button, before its menu can open. */
function makeTarget(whole: "Menu" | "Popover", popup: "menu" | "dialog") {
  const Loaded = makePart(whole, "Target") as ComponentType<{ children: ReactElement }>;
  return function LateTarget(props: { children: ReactElement<object> }) {
    const isLoaded = useOverlays() !== undefined;
    const resting = { "aria-haspopup": popup, "aria-expanded": false };
    return isLoaded ? <Loaded {...props} /> : cloneElement(props.children, resting);
  };
}

function LateMenu(props: Mantine.MenuProps) {
  return <Late resting={props.children}>{(library) => <library.Menu {...props} />}</Late>;
}

/** Names of the parts of a menu that show once it is open. */
const menuParts = [
  "CheckboxItem",
  "Divider",
  "Dropdown",
  "Item",
  "Label",
  "RadioGroup",
  "RadioItem",
] as const;

export const Menu = Object.assign(
  LateMenu,
  { Target: makeTarget("Menu", "menu") },
  Object.fromEntries(menuParts.map((part) => [part, makePart("Menu", part)])),
) as unknown as typeof LateMenu & Pick<typeof Mantine.Menu, "Target" | typeof menuParts[number]>;

function LatePopover(props: Mantine.PopoverProps) {
  return <Late resting={props.children}>{(library) => <library.Popover {...props} />}</Late>;
}

export const Popover = Object.assign(LatePopover, {
  Target: makeTarget("Popover", "dialog"),
  Dropdown: makePart("Popover", "Dropdown"),
}) as unknown as typeof LatePopover & Pick<typeof Mantine.Popover, "Dropdown" | "Target">;
