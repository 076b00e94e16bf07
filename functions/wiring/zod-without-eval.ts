/**
 * Turns zod's compiler off, which makes functions out of text: no edge allows it. It works only before a schema is
 * made, so this is the first import of an edge function.
 */
import * as z from "zod";

z.config({ jitless: true });
