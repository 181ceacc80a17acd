import { Box, VisuallyHidden } from "@mantine/core";
import { useRef } from "react";
import { LoadingDrawing } from "../ui/loading_drawing.tsx";
import type { Picture } from "./picture.ts";
import type { ShownChart } from "./shown_chart.ts";
import { usePicturePanel } from "./use_picture_panel.ts";

/** Height of a small picture, in pixels. */
export const smallHeight = 220;

interface SmallPictureProps {
  picture: Picture;
  /** The figures of the picture in words, for screen readers. */
  caption: string;
}

/** A chart without its table. */
export function SmallPicture({ picture, caption }: SmallPictureProps) {
  const panel = usePicturePanel();
  const chart = useRef<ShownChart>(null);
  return (
    <Box component="figure" m={0}>
      <VisuallyHidden component="figcaption">{caption}</VisuallyHidden>
      <Box pos="relative" h={smallHeight} aria-hidden>
        {panel
          ? <panel.PicturePanel picture={picture} chart={chart} />
          : <LoadingDrawing height={smallHeight} figures="" />}
      </Box>
    </Box>
  );
}
