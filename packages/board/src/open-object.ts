import { z } from 'zod'

/**
 * Schema of an object that keeps fields it does not know, such as those of a later version. Its type has the
 * known fields only, so that an unknown one is not read by mistake.
 */
export const openObject = <Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape> =>
  // The type of a loose object has an index signature, which makes every misspelt field known.
  z.looseObject(shape)
