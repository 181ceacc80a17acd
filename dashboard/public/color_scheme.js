// Before the first paint, or a dark page would flash white.
const stored = localStorage.getItem("mantine-color-scheme-value");
const wantsDark = matchMedia("(prefers-color-scheme: dark)").matches;
const scheme = stored === "light" || stored === "dark" ? stored : wantsDark ? "dark" : "light";
document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
