import type { Chart, Plugin } from "chart.js";
import { fontFamily } from "../theme/theme.ts";
import type { Picture } from "./picture.ts";
import { readVariable } from "./tooltip.ts";

const gap = 8;
/** A chart of this width has room for the long texts beside its bars. */
const roomyWidth = 420;

/** Writes a text into the end of each horizontal bar, or beside a bar that is too short. */
export function writeOnBars(texts: { current: Picture["barTexts"] }): Plugin<"bar" | "line"> {
  return {
    id: "bar-texts",
    afterDatasetsDraw: (chart) => {
      const isRoomy = chart.chartArea.width >= roomyWidth;
      chart.getDatasetMeta(0).data.forEach((bar, index) => {
        const text = texts.current?.[index];
        if (text) write(chart, { text: isRoomy ? text.long : text.short, bar });
      });
    },
  };
}

function write(
  { ctx, chartArea }: Pick<Chart<"bar" | "line">, "ctx" | "chartArea">,
  { text, bar }: { text: string; bar: { x: number; y: number } },
): void {
  ctx.save();
  ctx.font = `600 12px ${fontFamily}`;
  ctx.textBaseline = "middle";
  const isInside = bar.x - chartArea.left > ctx.measureText(text).width + 2 * gap;
  ctx.textAlign = isInside ? "right" : "left";
  ctx.fillStyle = isInside ? "#fff" : readVariable("--mantine-color-text");
  ctx.fillText(text, bar.x + (isInside ? -gap : gap), bar.y);
  ctx.restore();
}
