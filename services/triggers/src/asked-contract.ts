import { z } from 'zod'

/** Organization of a call: `X`, `*` for the session's and all below, `X.*`. */
export const inOrganization = z.object({ organization: z.string().max(500).optional() })

export const byId = z.object({ id: z.uuid() })

/** Id of a device: 16 bytes in base64url. */
export const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/** Milliseconds since 1970. */
export const ms = z.number()

/** Time in a query: milliseconds since 1970, or ISO 8601. Milliseconds in code. */
export const timeText = z.union([z.number(), z.string().max(40)]).transform((raw, ctx) => {
  const time = /^-?\d+$/.test(String(raw)) ? Number(raw) : Date.parse(String(raw))
  if (!Number.isNaN(time) && Math.abs(time) <= 8.64e15) return time
  ctx.addIssue({
    code: 'custom',
    message: 'must be milliseconds since 1970, or a time such as 2026-11-22T10:00:00Z',
  })
  return z.NEVER
})
