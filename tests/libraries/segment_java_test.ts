import { testLibrary } from "../support/segment_library.ts";

// The first retry takes up to 15 s.
testLibrary("java", { library: "analytics-java", storm: ["lost"] });
