import { testLibrary } from "../support/segment_library.ts";

testLibrary("node", { library: "@segment/analytics-node", storm: ["gone", "slower", "lost"] });
