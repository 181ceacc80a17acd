import { testLibrary } from "../../testing/senders/segment_library.ts";

// The first retry takes up to 15 s.
testLibrary("java", { library: "analytics-java", storm: ["lost"] });
