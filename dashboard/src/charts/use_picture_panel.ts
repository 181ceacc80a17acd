import { useModule } from "../ui/use_module.ts";

/** Loads the code that draws pictures; undefined until it is there. */
export function usePicturePanel() {
  return useModule("picture_panel", loadPanel);
}

async function loadPanel() {
  const [panel] = await Promise.all([import("./picture_panel.tsx"), document.fonts.ready]);
  return panel;
}
