import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { loadOverlays, useOverlays } from "./overlay_library.ts";

type Library = NonNullable<ReturnType<typeof useOverlays>>;

interface LateProps {
  /** Shows until the library is there. */
  resting: ReactNode;
  children: (library: Library) => ReactNode;
}

/** Shows a part as it rests until its library is there. A press or the focus waits for it. */
export function Late({ resting, children }: LateProps) {
  const library = useOverlays();
  const [isThere] = useState(library !== undefined);
  if (isThere && library) return children(library);
  return <Place resting={resting}>{library && children(library)}</Place>;
}

function Place({ resting, children }: { resting: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLSpanElement>(null);
  const asked = useRef<"focus" | "press" | "click">(undefined);
  const isLoaded = children !== undefined;
  useEffect(() => {
    if (!isLoaded || asked.current === undefined) return;
    const target = place.current?.querySelector<HTMLElement>("button, a, input");
    target?.focus();
    if (asked.current !== "focus") target?.click();
  }, [isLoaded]);
  const ask = (what: typeof asked.current) => {
    asked.current = what;
    void loadOverlays();
  };
  const stopPress = () => {
    if (asked.current === "press") asked.current = "focus";
  };
  const waiting = isLoaded ? {} : {
    onFocus: () => ask(asked.current ?? "focus"),
    onClick: () => ask("click"),
    // A button that is replaced while it is pressed gets no click.
    onPointerDown: ({ button }: PointerEvent) => button === 0 && ask("press"),
    onPointerLeave: stopPress,
    onPointerCancel: stopPress,
    onBlur: () => {
      asked.current = undefined;
    },
  };
  return (
    <span ref={place} className="late" {...waiting}>
      {isLoaded ? children : resting}
    </span>
  );
}
