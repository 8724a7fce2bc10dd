import { z } from 'zod'

/** ISO 8601, ms since 1970, or relative: `now`, `now-15m`, `-7d`. */
export const time = z.union([z.number(), z.string().max(60)])
