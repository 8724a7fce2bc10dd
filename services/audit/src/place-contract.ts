import { z } from 'zod'

/** Organization that a call is about; the session's without it. */
export const place = z.object({ organization: z.string().optional() })
