import { z } from 'zod'

/** Organization of a call: `X`, `*` for the session's and all below, `X.*`. */
export const inOrganization = z.object({ organization: z.string().max(500).optional() })

export const byId = z.object({ id: z.uuid() })

/** Milliseconds since 1970. */
export const ms = z.number()

/** Base of the calls, which clients expect at the address of models. */
export const dashboardsBase = '/svc/mappings/api/v1/dashboards'
