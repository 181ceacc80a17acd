import { testLibrary } from "../support/segment_library.ts";

testLibrary("python", { library: "analytics-python", storm: ["gone", "slower", "lost"] });
