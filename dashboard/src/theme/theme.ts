import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const signal: MantineColorsTuple = [
  "#f2f2fd",
  "#e3e3fb",
  "#c5c5f5",
  "#a5a5ef",
  "#8a8ae9",
  "#7272e3",
  "#5b5bd6",
  "#4c4cc2",
  "#4040a4",
  "#34347f",
];

/** Mantine's grays with less yellow in them, so that panels look calm beside the accent. */
const dark: MantineColorsTuple = [
  "#d6d8e1",
  "#b9bcc9",
  "#9ba0b0",
  "#6d7284",
  "#474b5b",
  "#343847",
  "#262936",
  "#1b1d27",
  "#14161e",
  "#0d0e14",
];

type Shades = Record<string, { text: string; fill: string }>;

/** Text of the light variant, at least 4.5:1 on its own background, and that background. */
const lightShades: Shades = {
  signal: { text: "#4040a4", fill: "#ebebfb" },
  gray: { text: "#495060", fill: "#eff0f4" },
  green: { text: "#1c6b2f", fill: "#dff5e3" },
  teal: { text: "#07664d", fill: "#d8f5ec" },
  red: { text: "#b02525", fill: "#fde7e7" },
  orange: { text: "#96400a", fill: "#fdeee0" },
  yellow: { text: "#765000", fill: "#fdf3d3" },
  grape: { text: "#80309a", fill: "#f6e8fa" },
  blue: { text: "#1a5591", fill: "#e3effc" },
};

export const fontFamily = '"Inter Variable", system-ui, sans-serif';

/** Hiding the page's own scrollbar would take a style element, which the page's policy refuses. */
const removeScroll = { removeScrollBar: false };

/** The parts of an element that are needed here: tools without a page read the theme too. */
interface Box {
  closest?(selector: string): Box | null;
  getBoundingClientRect(): { top: number };
}

interface Opened {
  placement: string;
  elements: { reference: Box };
}

/** Space between a field and its list. A list that opens upwards leaves the field's label in sight. */
function leaveLabel({ placement, elements: { reference } }: Opened): number {
  const gap = 8;
  const field = reference.closest?.(".mantine-InputWrapper-root");
  if (!field || !placement.startsWith("top")) return gap;
  return gap + reference.getBoundingClientRect().top - field.getBoundingClientRect().top;
}

export const theme = createTheme({
  primaryColor: "signal",
  primaryShade: 6,
  colors: { signal, dark },
  autoContrast: true,
  fontFamily,
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  headings: { fontFamily, fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Paper: { defaultProps: { withBorder: true, radius: "lg" } },
    // Its hidden focus target is a child that a menu must not have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: {
      defaultProps: { removeScrollProps: removeScroll, styles: { title: { fontWeight: 650 } } },
    },
    Modal: {
      defaultProps: {
        removeScrollProps: removeScroll,
        centered: true,
        radius: "lg",
        overlayProps: { blur: 2 },
        styles: { title: { fontWeight: 650 } },
        closeButtonProps: { "aria-label": "Close this dialog" },
      },
    },
    // Inside of a dialog, a header element would be another banner of the page.
    DrawerHeader: { defaultProps: { component: "div" } },
    ModalHeader: { defaultProps: { component: "div" } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    Tooltip: {
      defaultProps: {
        withArrow: true,
        openDelay: 250,
        multiline: true,
        events: { hover: true, focus: true, touch: true },
      },
    },
    // Hundreds of suggestions that nobody has asked for yet.
    Combobox: { defaultProps: { keepMounted: false, offset: leaveLabel } },
    // Enter chooses the first option that the typed text matches. A list that opened with the focus
    // would cover the error of its field.
    Select: { defaultProps: { selectFirstOptionOnChange: true, openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    Autocomplete: { defaultProps: { openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
    Avatar: { defaultProps: { allowedInitialsColors: Object.keys(lightShades) } },
    Badge: { defaultProps: { variant: "light", radius: "sm", tt: "none", fw: 550 } },
    Anchor: { defaultProps: { underline: "hover" } },
    Fieldset: { defaultProps: { variant: "unstyled" } },
  },
});

const darkShades: Shades = {
  signal: { text: "#c5c5f5", fill: "#2b2b52" },
  gray: { text: "#ced2dd", fill: "#2c2f3c" },
  green: { text: "#8ce99a", fill: "#1c3524" },
  teal: { text: "#63e6be", fill: "#17372f" },
  red: { text: "#ffb0b0", fill: "#43211f" },
  orange: { text: "#ffc078", fill: "#3e2a18" },
  yellow: { text: "#ffe066", fill: "#3a3216" },
  grape: { text: "#e599f7", fill: "#37213f" },
  blue: { text: "#91c4ff", fill: "#1b2f47" },
};

function lightVariants(shades: Shades): Record<string, string> {
  return Object.fromEntries(
    Object.entries(shades).flatMap(([name, { text, fill }]) => [
      [`--mantine-color-${name}-light-color`, text],
      [`--mantine-color-${name}-light`, fill],
      [`--mantine-color-${name}-light-hover`, fill],
    ]),
  );
}

/** White text on it has 4.5:1. */
const redFilled = {
  "--mantine-color-red-filled": "#c92a2a",
  "--mantine-color-red-filled-hover": "#b02525",
};

/** Mantine's dimmed text and light variants miss 4.5:1 in places; these do not. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...lightVariants(lightShades),
    "--mantine-color-dimmed": "#5a6072",
    "--mantine-color-placeholder": "#6b7183",
    "--mantine-color-anchor": "#4c4cc2",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-red-text": "#c92a2a",
    ...redFilled,
    "--mantine-color-default-border": "#e2e3ea",
    "--choice-border": "#8d93a6",
    "--page-background": "#f8f8fb",
  },
  dark: {
    ...lightVariants(darkShades),
    "--mantine-color-dimmed": "#a2a7b8",
    "--mantine-color-placeholder": "#8d93a6",
    "--mantine-color-anchor": "#a5a5ef",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-red-text": "#ff8787",
    ...redFilled,
    "--mantine-color-default-border": "#2f3240",
    "--choice-border": "#777c8f",
    "--page-background": "#0f1017",
  },
});
