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

export const theme = createTheme({
  primaryColor: "signal",
  primaryShade: { light: 6, dark: 5 },
  colors: { signal, dark },
  autoContrast: true,
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  headings: { fontFamily: '"Inter Variable", system-ui, sans-serif', fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Paper: { defaultProps: { withBorder: true, radius: "lg" } },
    Modal: { defaultProps: { centered: true, radius: "lg", overlayProps: { blur: 2 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, multiline: true } },
    Badge: { defaultProps: { variant: "light", radius: "sm", tt: "none", fw: 550 } },
    Anchor: { defaultProps: { underline: "hover" } },
  },
});

/** Mantine's dimmed and light variants miss 4.5:1; these do not. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5a6072",
    "--mantine-color-placeholder": "#6b7183",
    "--mantine-color-body": "#ffffff",
    "--mantine-color-anchor": "#4c4cc2",
    "--mantine-color-error": "#c92a2a",
    "--page-background": "#f8f8fb",
    "--mantine-color-green-light-color": "#1c6b2f",
    "--mantine-color-red-light-color": "#b02525",
    "--mantine-color-yellow-light-color": "#7a5200",
    "--mantine-color-orange-light-color": "#9c4108",
    "--mantine-color-blue-light-color": "#15569c",
    "--mantine-color-teal-light-color": "#07664d",
    "--mantine-color-grape-light-color": "#80309a",
    "--mantine-color-gray-light-color": "#495060",
    "--mantine-color-signal-light-color": "#4040a4",
  },
  dark: {
    "--mantine-color-dimmed": "#a2a7b8",
    "--mantine-color-placeholder": "#8d93a6",
    "--mantine-color-anchor": "#a5a5ef",
    "--mantine-color-error": "#ff8787",
    "--page-background": "#0f1017",
    "--mantine-color-green-light-color": "#8ce99a",
    "--mantine-color-red-light-color": "#ffa8a8",
    "--mantine-color-yellow-light-color": "#ffe066",
    "--mantine-color-orange-light-color": "#ffc078",
    "--mantine-color-blue-light-color": "#a5d8ff",
    "--mantine-color-teal-light-color": "#63e6be",
    "--mantine-color-grape-light-color": "#e599f7",
    "--mantine-color-gray-light-color": "#ced4da",
    "--mantine-color-signal-light-color": "#c5c5f5",
  },
});
