import { z } from 'zod'

/** Organization of a call: `X`, `*` for the session's and all below, `X.*`. */
export const inOrganization = z.object({ organization: z.string().max(500).optional() })

/** Id of a device: 16 bytes in base64url. */
export const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/** Id of an occurrence: 16 bytes in base64url. */
export const alarmId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/** Milliseconds since 1970. */
export const ms = z.number()

/** Shelf that holds an alarm. */
export const OwnShelf = z.object({
  id: z.uuid(),
  until: ms,
  by: z.string(),
  reason: z.string(),
  note: z.string(),
  /** Organization that shelved it: that of the alarm, or one above. */
  orgResourceId: z.string(),
})
