import { z } from "zod";

// Compiling schemas takes what the page's policy forbids, and merely trying to is reported.
z.config({ jitless: true });
