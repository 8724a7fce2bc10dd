import { z } from 'zod'

/**
 * Why something that a device said was not taken, in parts for words in the reader's language: items
 * and fields that it is about come before what is wrong with them.
 */
export const Refusal = z.array(
  z.object({ code: z.string(), values: z.record(z.string(), z.string()) }),
)
