import type { Flow } from "./picture.ts";

/** Room for a place and its label, in pixels. */
const place = { width: 150, height: 66 };
/** Between two places above each other: two lines of text. */
const gap = 32;
export const headingHeight = 30;
export const footHeight = 14;

/** Returns the size at which the labels of a flow are apart, in pixels. */
export function measureFlow({ headings, places }: Flow) {
  const most = Math.max(
    ...headings.map((_, index) => places.filter(({ column }) => column === index).length),
  );
  const height = Math.max(320, most * place.height);
  const room = height - headingHeight - footHeight;
  return {
    width: headings.length * place.width,
    height,
    // The library shrinks gaps with everything else until the whole fits.
    padding: gap * room / (room - gap * most),
  };
}
