import { z } from 'zod'

/** `3` or `3,4`: one or several ids in a path. */
export const idList = z
  .string()
  .regex(/^\d{1,9}(,\d{1,9}){0,199}$/, 'must be numbers with commas between')
  .transform((text) => text.split(',').map(Number))
