import { testLibrary } from "../support/segment_library.ts";

testLibrary("go", { library: "analytics-go", storm: ["gone", "slower", "lost"] });
