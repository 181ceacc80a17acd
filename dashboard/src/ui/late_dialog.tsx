import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from "react";
import { lateImport } from "./late_import.ts";
import { loadOverlays } from "./overlay_library.ts";

interface Openable {
  isOpen: boolean;
}

/** Makes a dialog of which the code loads when it is first opened. */
export function lateDialog<Props extends Openable>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async () => {
    // Every dialog needs them, and would ask for them only once it is there.
    void loadOverlays();
    return { default: makeOpening(await lateImport(load)) };
  });
  return function LateDialog(props: Props) {
    const wasOpen = useRef(false);
    wasOpen.current ||= props.isOpen;
    return wasOpen.current && (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    );
  };
}

/** Opens a dialog after it was rendered closed: otherwise it would not know what had the focus. */
function makeOpening<Props extends Openable>(Dialog: ComponentType<Props>) {
  return function Opening(props: Props) {
    const [isRendered, setRendered] = useState(false);
    useEffect(() => setRendered(true), []);
    return <Dialog {...props} isOpen={props.isOpen && isRendered} />;
  };
}
