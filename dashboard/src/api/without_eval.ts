import { z } from "zod";

// The page's policy forbids compiled schemas, and browsers report the attempt.
z.config({ jitless: true });
